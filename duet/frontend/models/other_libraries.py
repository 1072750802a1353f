"""The records of libraries beside that of C: what they call of a program, and when, and what they keep.

What they change behind their arguments is not known, nor what comes back, but for some strings.

*Source*: the manual pages and headers of BlueZ 5.66, GNU History 8.2, libarchive 3.6, libcrypto 3.0, libcryptsetup 2.6,
libcurl 7.88, liblzma 5.4, libpcap 1.10, librtlsdr 0.6, libssl 3.0, libxml2 2.9, ncurses 6.4, PCRE2 10.42, SQLite 3.40
and zlib 1.2. What is not on a list here may call what it is given, and what it finds, at any time, and may keep it. Of
streams and structures that libraries refer to later (`z_stream`, `lzma_block`) it is not told that they are used
briefly. Functions of libarchive and libpcap use what their first argument leads to, unless they take null there; those
of liblzma and zlib mostly refuse null with an error; of those of the others it is not told. Of ncurses those are left
out that other headers may have other functions for (`move`, `filter`): its own header has macros for most of them.
"""

from __future__ import annotations

from functools import partial

from duet.frontend.ctypes.library import EACH, Callback, When
from duet.frontend.ctypes.types import ADDRESS, UINT, VOID, VOID_POINTER, FunctionType
from duet.frontend.models.effects import MESSAGE, POINTED, UNKNOWN_SIZE, Bytes, Effect, Text, effect, fills
from duet.frontend.models.record import LibraryFunction

_LATER = tuple(range(1, 12))
"""The positions of all arguments but the first one: of these it is not told which may be null."""
_ALL = (0, *_LATER)
_archive = partial(LibraryFunction, library="libarchive", passed=_LATER)
_crypto = partial(LibraryFunction, library="libcrypto", passed=_ALL, brief=EACH)
_cryptsetup = partial(LibraryFunction, library="libcryptsetup", passed=_ALL, brief=EACH)
_pcap = partial(LibraryFunction, library="libpcap", passed=_LATER, brief=EACH)
_FREE = FunctionType(VOID, (VOID_POINTER, VOID_POINTER))
_ALLOCATORS = (*(FunctionType(VOID_POINTER, (VOID_POINTER, size, size)) for size in (UINT, ADDRESS)), _FREE)
"""Of functions in streams, or in structures that streams lead to: what allocates memory, and what frees it."""
_bluetooth = partial(LibraryFunction, library="libbluetooth", passed=_ALL, brief=EACH)
_curl = partial(LibraryFunction, library="libcurl", passed=_ALL)
_curses = partial(LibraryFunction, library="ncurses", passed=_ALL, brief=EACH)
_history = partial(LibraryFunction, library="GNU History", passed=_ALL, brief=EACH)
_pcre = partial(LibraryFunction, library="PCRE2", passed=_ALL)
_rtlsdr = partial(LibraryFunction, library="librtlsdr", passed=_ALL)
_sqlite = partial(LibraryFunction, library="SQLite", passed=_ALL)
_xml = partial(LibraryFunction, library="libxml2", passed=_ALL)
_lzma = partial(LibraryFunction, library="liblzma", finds=_ALLOCATORS, passed=_ALL)
_zlib = partial(LibraryFunction, library="zlib", finds=_ALLOCATORS, passed=_ALL)


_NAME = Effect((), Text(is_constant=True))
_LENT = Effect((), Text(may_fail=False, is_lent=True))
_LENT_NAME = Effect((), Text(is_lent=True))
"""Strings that the program does not modify, for ever or in a structure of the library; `_NAME`: or null."""


def _kept(*positions: int) -> tuple[Callback, ...]:
    return tuple(Callback(position, When.DURING_CALLS) for position in positions)


_ARCHIVE: tuple[LibraryFunction, ...] = (
    _archive("archive_read_open archive_write_open", callbacks=_kept(2, 3, 4)),
    _archive("archive_read_open2 archive_write_open2", callbacks=_kept(2, 3, 4, 5)),
    _archive(
        "archive_read_new archive_read_close archive_read_next_header "
        "archive_read_next_header2 archive_read_header_position archive_read_data archive_read_data_block "
        "archive_read_data_skip archive_read_data_into_fd archive_seek_data archive_read_open_filename "
        "archive_read_open_memory archive_read_open_memory2 archive_read_open_fd archive_read_open_FILE "
        "archive_read_support_filter_all archive_read_support_filter_none archive_read_support_filter_gzip "
        "archive_read_support_filter_xz archive_read_support_filter_bzip2 archive_read_support_filter_zstd "
        "archive_read_support_format_all archive_read_support_format_tar archive_read_support_format_raw "
        "archive_read_support_format_zip archive_read_support_format_cpio archive_read_support_format_empty"
    ),
    _archive(
        "archive_write_new archive_write_close archive_write_header "
        "archive_write_data archive_write_finish_entry archive_write_open_filename archive_write_open_memory "
        "archive_write_open_fd archive_write_open_FILE archive_write_add_filter_none archive_write_add_filter_gzip "
        "archive_write_add_filter_xz archive_write_set_format_pax archive_write_set_format_pax_restricted "
        "archive_write_set_format_ustar archive_write_set_format_zip"
    ),
    _archive(
        "archive_errno archive_format archive_filter_bytes "
        "archive_filter_code archive_filter_count archive_file_count archive_clear_error "
        "archive_version_number"
    ),
    _archive(
        "archive_entry_new archive_entry_clone archive_entry_pathname "
        "archive_entry_size archive_entry_filetype archive_entry_mode archive_entry_perm archive_entry_mtime "
        "archive_entry_set_pathname archive_entry_set_size archive_entry_set_filetype archive_entry_set_perm "
        "archive_entry_set_mtime archive_entry_copy_pathname archive_entry_copy_stat archive_entry_stat"
    ),
)

_ARCHIVE_GONE = _archive(
    "archive_read_free archive_read_finish archive_write_free archive_write_finish archive_entry_free "
    "archive_entry_clear",
    passed=_ALL,
)

_CRYPTO: tuple[LibraryFunction, ...] = (
    _crypto(
        "EVP_CIPHER_do_all EVP_CIPHER_do_all_sorted EVP_MD_do_all EVP_MD_do_all_sorted",
        callbacks=(Callback(0, When.DURING_CALL),),
        brief=(),
    ),
    _crypto(
        "EVP_CIPHER_do_all_provided EVP_MD_do_all_provided OBJ_NAME_do_all OBJ_NAME_do_all_sorted",
        callbacks=(Callback(1, When.DURING_CALL),),
        brief=(),
    ),
    _crypto(
        "EVP_CIPHER_CTX_new EVP_CIPHER_CTX_reset EVP_CIPHER_CTX_free EVP_CIPHER_CTX_set_padding "
        "EVP_CIPHER_CTX_set_key_length EVP_CIPHER_CTX_get_block_size EVP_CIPHER_CTX_get_key_length "
        "EVP_CIPHER_CTX_get_iv_length EVP_CIPHER_get_nid EVP_CIPHER_get_block_size "
        "EVP_CIPHER_get_key_length EVP_CIPHER_get_iv_length EVP_get_cipherbyname EVP_get_digestbyname"
    ),
    _crypto(
        "EVP_EncryptInit EVP_DecryptInit EVP_CipherInit EVP_DigestInit EVP_CIPHER_CTX_copy",
        brief=(0, 2, 3, 4),  # contexts refer to methods, and to engines
    ),
    _crypto(
        "EVP_EncryptInit_ex EVP_DecryptInit_ex EVP_CipherInit_ex EVP_DigestInit_ex",
        brief=(0, 3, 4, 5),
    ),
    _crypto(
        "EVP_EncryptUpdate EVP_EncryptFinal EVP_EncryptFinal_ex EVP_DecryptUpdate EVP_DecryptFinal "
        "EVP_DecryptFinal_ex EVP_CipherUpdate EVP_CipherFinal EVP_CipherFinal_ex "
        "EVP_BytesToKey PKCS5_PBKDF2_HMAC PKCS5_PBKDF2_HMAC_SHA1"
    ),
    _crypto(
        "EVP_MD_CTX_new EVP_MD_CTX_reset EVP_MD_CTX_free EVP_DigestUpdate "
        "EVP_DigestFinal EVP_DigestFinal_ex EVP_Digest EVP_MD_get_size EVP_md5 EVP_sha1 EVP_sha256 "
        "EVP_sha384 EVP_sha512 EVP_aes_128_cbc EVP_aes_192_cbc EVP_aes_256_cbc EVP_aes_128_ctr EVP_aes_256_ctr "
        "EVP_aes_128_gcm EVP_aes_256_gcm"
    ),
    _crypto("HMAC", brief=(1, 3)),
    _crypto("HMAC_CTX_new HMAC_CTX_reset HMAC_CTX_free HMAC_Update HMAC_Final HMAC_size"),
    _crypto("HMAC_Init_ex", brief=(0, 1)),
    _crypto(
        "RAND_add RAND_seed RAND_status RAND_poll RAND_load_file RAND_write_file OpenSSL_version_num "
        "OPENSSL_init_crypto OPENSSL_cleanup ERR_get_error ERR_peek_error ERR_peek_last_error ERR_clear_error "
        "ERR_print_errors_fp"
    ),
    _crypto("ERR_error_string ERR_print_errors", brief=()),
    _crypto(
        "BIO_new BIO_new_file BIO_new_fp BIO_new_socket BIO_new_fd BIO_new_mem_buf BIO_new_connect BIO_new_accept "
        "BIO_free BIO_free_all BIO_vfree BIO_up_ref BIO_push BIO_pop BIO_next BIO_find_type BIO_ctrl BIO_int_ctrl "
        "BIO_s_mem BIO_s_secmem BIO_s_file BIO_s_fd BIO_s_socket BIO_s_connect BIO_s_accept BIO_s_null BIO_f_base64 "
        "BIO_f_buffer BIO_f_cipher BIO_f_md BIO_f_null BIO_f_ssl BIO_set_flags BIO_clear_flags BIO_test_flags",
        brief=(),
    ),
    _crypto(
        "BIO_read BIO_read_ex BIO_gets BIO_write BIO_write_ex BIO_puts BIO_printf BIO_vprintf BIO_ctrl_pending "
        "BIO_ctrl_wpending BIO_number_read BIO_number_written BIO_method_type"
    ),
    _crypto(
        "RSA_new RSA_free RSA_size RSA_bits RSA_public_encrypt RSA_private_encrypt RSA_public_decrypt "
        "RSA_private_decrypt RSA_sign RSA_verify RSA_check_key EVP_PKEY_new EVP_PKEY_free EVP_PKEY_get_size "
        "EVP_PKEY_get_bits X509_free X509_NAME_free EVP_SignFinal EVP_VerifyFinal EVP_DigestSignUpdate "
        "EVP_DigestSignFinal EVP_DigestSign EVP_DigestVerifyUpdate EVP_DigestVerifyFinal EVP_DigestVerify "
        "EVP_EncodeBlock EVP_DecodeBlock EVP_MD_CTX_copy EVP_MD_CTX_copy_ex EVP_PKEY_encrypt EVP_PKEY_decrypt"
    ),
    _crypto(
        "EVP_PKEY_get1_RSA EVP_PKEY_set1_RSA EVP_PKEY_assign EVP_PKEY_CTX_new EVP_PKEY_CTX_free EVP_DigestSignInit "
        "EVP_DigestVerifyInit EVP_PKEY_encrypt_init EVP_PKEY_decrypt_init X509_get_subject_name X509_get_issuer_name "
        "X509_NAME_oneline X509_get_pubkey X509_get0_pubkey",
        brief=(),
    ),
    _crypto(
        " ".join(
            f"PEM_read_{stream}{what}"
            for stream in ("", "bio_")
            for what in ("PrivateKey", "PUBKEY", "RSAPrivateKey", "RSAPublicKey", "RSA_PUBKEY", "X509", "X509_AUX")
        ),
        callbacks=(Callback(2, When.DURING_CALL, (None, None, None, 3)),),
        brief=(),
    ),
    _crypto("PEM_write_PUBKEY PEM_write_bio_PUBKEY PEM_write_X509 PEM_write_bio_X509", brief=()),
    _crypto(
        "PEM_write_PrivateKey PEM_write_bio_PrivateKey PEM_write_RSAPrivateKey PEM_write_bio_RSAPrivateKey",
        callbacks=(Callback(5, When.DURING_CALL, (None, None, None, 6)),),
        brief=(),
    ),
)

_DIGESTS = {"MD4": 16, "MD5": 16, "RIPEMD160": 20, "SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64}
"""Bytes of a digest."""


def _digest(name: str, size: int) -> tuple[LibraryFunction, ...]:
    """Those of one hash function: what is hashed so far is in the memory of the program."""
    return (
        _crypto(f"{name}_Init", fills(0, low=0)),
        _crypto(f"{name}_Update", effect((0, POINTED), low=0, reads=((1, 2),))),
        _crypto(f"{name}_Final", effect((0, Bytes(size)), (1, POINTED), low=0)),
    )


_BLOCK = Bytes(16)
_CIPHERS: tuple[LibraryFunction, ...] = (
    *(record for name, size in _DIGESTS.items() for record in _digest(name, size)),
    _crypto("AES_set_encrypt_key AES_set_decrypt_key", effect((2, POINTED), reads=((0, UNKNOWN_SIZE),))),
    _crypto("AES_encrypt AES_decrypt", effect((1, _BLOCK), reads=((0, _BLOCK), (2, POINTED)))),
    _crypto("AES_ecb_encrypt", effect((1, _BLOCK), reads=((0, _BLOCK), (2, POINTED)))),
    _crypto("AES_cbc_encrypt", effect((1, UNKNOWN_SIZE), (4, _BLOCK), reads=((0, UNKNOWN_SIZE), (3, POINTED)))),
    _crypto("RAND_bytes RAND_priv_bytes RAND_pseudo_bytes OPENSSL_cleanse", effect((0, 1), low=-1)),
    _crypto("CRYPTO_memcmp", effect(reads=((0, 2), (1, 2)))),
    _crypto("ERR_error_string_n", effect((1, 2))),
)
"""Of libcrypto, those that refer to nothing but what they are given."""

_SSL: tuple[LibraryFunction, ...] = (
    _crypto("SSL_CTX_set_verify SSL_set_verify", callbacks=_kept(2), brief=()),
    _crypto(
        "SSL_CTX_set_default_passwd_cb SSL_CTX_set_info_callback SSL_set_info_callback SSL_CTX_set_msg_callback "
        "SSL_CTX_set_alpn_select_cb SSL_CTX_sess_set_new_cb SSL_CTX_sess_set_remove_cb SSL_CTX_sess_set_get_cb "
        "SSL_CTX_set_keylog_callback",
        callbacks=_kept(1),
        brief=(),
    ),
    _crypto(
        "SSL_CTX_new SSL_new SSL_set_bio SSL_get_rbio SSL_get_wbio SSL_get_SSL_CTX SSL_CTX_ctrl SSL_ctrl "
        "SSL_get_peer_certificate SSL_get1_peer_certificate SSL_get_session SSL_get1_session SSL_set_session "
        "SSL_get_current_cipher TLS_method TLS_client_method TLS_server_method DTLS_method DTLS_client_method "
        "DTLS_server_method",
        brief=(),
    ),
    _crypto(
        "OPENSSL_init_ssl SSL_CTX_free SSL_CTX_up_ref SSL_free SSL_up_ref SSL_clear SSL_set_fd SSL_set_rfd SSL_set_wfd "
        "SSL_get_fd SSL_accept SSL_connect SSL_do_handshake SSL_read SSL_read_ex SSL_peek SSL_peek_ex SSL_write "
        "SSL_write_ex SSL_pending SSL_has_pending SSL_shutdown SSL_get_shutdown SSL_set_shutdown SSL_get_error "
        "SSL_set_connect_state SSL_set_accept_state SSL_is_init_finished SSL_in_init SSL_session_reused "
        "SSL_CTX_use_certificate_file SSL_CTX_use_certificate_chain_file SSL_CTX_use_PrivateKey_file "
        "SSL_CTX_check_private_key SSL_use_certificate_file SSL_use_PrivateKey_file SSL_CTX_load_verify_locations "
        "SSL_CTX_set_default_verify_paths SSL_CTX_set_cipher_list SSL_CTX_set_ciphersuites SSL_set_cipher_list "
        "SSL_CTX_set_options SSL_CTX_get_options SSL_CTX_clear_options SSL_set_options SSL_CTX_set_verify_depth "
        "SSL_get_verify_result SSL_SESSION_free SSL_CIPHER_get_bits"
    ),
)
"""Of libssl, which is one with libcrypto: its streams call what libssl was told to call."""

_CRYPTSETUP: tuple[LibraryFunction, ...] = (
    _cryptsetup("crypt_set_log_callback crypt_set_confirm_callback", callbacks=_kept(1), brief=()),
    _cryptsetup(
        "crypt_init crypt_init_by_name crypt_load crypt_format crypt_free crypt_activate_by_passphrase "
        "crypt_activate_by_volume_key crypt_deactivate crypt_status "
        "crypt_get_volume_key_size crypt_keyslot_add_by_passphrase crypt_keyslot_destroy "
        "crypt_volume_key_get"
    ),
    _cryptsetup("crypt_log", brief=()),  # it gives what it is given to what the program has registered
)

_LZMA: tuple[LibraryFunction, ...] = (
    _lzma(
        "lzma_code lzma_end lzma_easy_encoder lzma_stream_encoder lzma_alone_encoder lzma_raw_encoder "
        "lzma_stream_decoder lzma_auto_decoder lzma_alone_decoder lzma_raw_decoder lzma_block_encoder "
        "lzma_block_decoder lzma_index_encoder lzma_index_decoder lzma_memusage lzma_memlimit_get lzma_memlimit_set "
        "lzma_get_check lzma_filters_update lzma_index_iter_init lzma_index_iter_rewind lzma_index_iter_next "
        "lzma_index_iter_locate lzma_index_cat lzma_filters_copy"
    ),
    _lzma("lzma_filters_free", brief=EACH, releases=True),
    _lzma(
        "lzma_lzma_preset lzma_check_size lzma_check_is_supported lzma_crc32 "
        "lzma_crc64 lzma_version_number lzma_block_header_size lzma_block_header_encode lzma_block_header_decode "
        "lzma_block_compressed_size lzma_block_unpadded_size lzma_block_total_size lzma_block_buffer_bound "
        "lzma_block_buffer_encode lzma_block_buffer_decode lzma_block_uncomp_encode lzma_stream_header_encode "
        "lzma_stream_header_decode lzma_stream_footer_encode lzma_stream_footer_decode lzma_stream_flags_compare "
        "lzma_stream_buffer_bound lzma_stream_buffer_encode lzma_stream_buffer_decode lzma_easy_buffer_encode "
        "lzma_vli_size lzma_vli_encode lzma_vli_decode",
        brief=EACH,
    ),
    _lzma(
        "lzma_index_init lzma_index_end lzma_index_append lzma_index_dup lzma_index_stream_flags "
        "lzma_index_stream_padding lzma_index_stream_count lzma_index_stream_size lzma_index_block_count "
        "lzma_index_size lzma_index_total_size lzma_index_file_size lzma_index_uncompressed_size lzma_index_checks "
        "lzma_index_memusage lzma_index_memused lzma_index_buffer_encode lzma_index_buffer_decode",
        brief=EACH,
    ),
)

_PCAP: tuple[LibraryFunction, ...] = (
    _pcap("pcap_loop pcap_dispatch", callbacks=(Callback(2, When.DURING_CALL, (3, None, None)),), brief=()),
    _pcap(
        "pcap_activate pcap_open_dead pcap_open_offline pcap_close pcap_breakloop "
        "pcap_next pcap_next_ex pcap_compile pcap_setfilter pcap_offline_filter pcap_datalink "
        "pcap_set_datalink pcap_list_datalinks pcap_snapshot "
        "pcap_set_snaplen pcap_set_promisc pcap_set_timeout pcap_set_buffer_size pcap_set_immediate_mode "
        "pcap_setnonblock pcap_getnonblock pcap_setdirection pcap_get_selectable_fd pcap_fileno pcap_stats "
        "pcap_inject pcap_sendpacket pcap_perror "
        "pcap_lookupdev pcap_findalldevs pcap_dump_open pcap_dump pcap_dump_close "
        "pcap_dump_flush"
    ),
    _pcap("pcap_freecode", releases=True),
    _pcap("pcap_create pcap_open_live pcap_lookupnet pcap_free_datalinks pcap_freealldevs", passed=_ALL),
)

_ZLIB: tuple[LibraryFunction, ...] = (
    _zlib("inflateBack", callbacks=(Callback(1, When.DURING_CALL), Callback(3, When.DURING_CALL))),
    _zlib(
        "deflateInit_ deflateInit2_ deflate deflateEnd deflateReset deflateCopy deflateParams deflateTune deflateBound "
        "deflatePending deflatePrime deflateSetDictionary deflateGetDictionary deflateSetHeader "
        "inflateInit_ inflateInit2_ inflate inflateEnd inflateReset inflateReset2 inflateCopy inflatePrime inflateMark "
        "inflateSync inflateSetDictionary inflateGetDictionary inflateGetHeader inflateBackInit_ inflateBackEnd"
    ),
    _zlib(
        "compress compress2 compressBound uncompress uncompress2 adler32 adler32_z adler32_combine crc32 crc32_z "
        "crc32_combine zlibCompileFlags",
        brief=EACH,
    ),
)

_BLUETOOTH: tuple[LibraryFunction, ...] = (
    _bluetooth("hci_for_each_dev", callbacks=(Callback(1, When.DURING_CALL),), brief=()),
    _bluetooth(
        "ba2str str2ba ba2strlc ba2oui bachk baswap bt_error bt_compidtostr hci_open_dev hci_close_dev hci_send_cmd "
        "hci_send_req hci_create_connection hci_disconnect hci_inquiry hci_devinfo hci_devba hci_devid hci_get_route "
        "hci_read_local_name hci_write_local_name hci_read_remote_name hci_read_remote_name_with_clock_offset "
        "hci_read_remote_name_cancel hci_read_remote_version hci_read_remote_features hci_read_remote_ext_features "
        "hci_read_clock_offset hci_read_local_version hci_read_local_commands hci_read_local_features "
        "hci_read_local_ext_features hci_read_bd_addr hci_read_class_of_dev hci_write_class_of_dev "
        "hci_read_link_quality hci_read_rssi hci_read_clock hci_authenticate_link hci_encrypt_link "
        "hci_bustostr hci_typetostr hci_dtypetostr hci_dflagstostr hci_ptypetostr hci_scoptypetostr hci_lptostr "
        "hci_lmtostr hci_cmdtostr hci_vertostr hci_strtover lmp_vertostr lmp_featurestostr hci_le_set_scan_enable "
        "hci_le_set_scan_parameters"
    ),
)

_CURL: tuple[LibraryFunction, ...] = (
    _curl("curl_easy_setopt curl_multi_setopt curl_share_setopt", callbacks=_kept(2)),
    _curl(
        "curl_global_init curl_global_cleanup curl_easy_init curl_easy_perform curl_easy_cleanup curl_easy_reset "
        "curl_easy_duphandle curl_easy_getinfo curl_easy_escape curl_easy_unescape curl_easy_pause "
        "curl_easy_send curl_easy_recv curl_escape curl_unescape curl_free curl_getdate "
        "curl_version_info curl_slist_append curl_slist_free_all curl_multi_init curl_multi_add_handle "
        "curl_multi_remove_handle curl_multi_fdset curl_multi_wait curl_multi_poll curl_multi_perform "
        "curl_multi_cleanup curl_multi_info_read curl_multi_timeout curl_share_init "
        "curl_share_cleanup"
    ),
)

_CURSES: tuple[LibraryFunction, ...] = (
    _curses("newterm set_term subwin derwin subpad dupwin wgetparent", brief=()),
    _curses("vidputs", callbacks=(Callback(1, When.DURING_CALL),), brief=()),
    _curses("tputs", callbacks=(Callback(2, When.DURING_CALL),), brief=()),
    _curses("vid_puts", callbacks=(Callback(3, When.DURING_CALL),), brief=()),
    _curses(
        "putp delay_output initscr endwin isendwin delscreen cbreak nocbreak noecho nonl noraw "
        "halfdelay intrflush "
        "keypad nodelay notimeout wtimeout typeahead noqiflush qiflush curs_set napms beep flash ungetch flushinp "
        "doupdate resetty savetty def_prog_mode def_shell_mode reset_prog_mode reset_shell_mode getwin putwin "
        "scr_dump scr_init scr_restore scr_set baudrate erasechar killchar termattrs "
        "resizeterm resize_term is_term_resized wresize set_escdelay get_escdelay set_tabsize"
    ),
    _curses(
        "start_color has_colors can_change_color init_pair init_color color_content pair_content use_default_colors "
        "assume_default_colors init_extended_pair init_extended_color extended_color_content extended_pair_content "
        "alloc_pair find_pair free_pair reset_color_pairs"
    ),
    _curses(
        "newwin delwin mvwin mvderwin wsyncup syncok wcursyncup wsyncdown newpad prefresh "
        "pnoutrefresh pechochar clearok idlok idcok immedok leaveok wsetscrreg scrollok wscrl touchwin touchline "
        "untouchwin wtouchln is_linetouched is_wintouched copywin redrawwin wredrawln wrefresh "
        "wnoutrefresh wgetdelay wgetscrreg is_cleared is_idcok is_idlok is_immedok is_keypad is_leaveok "
        "is_nodelay is_notimeout is_pad is_scrollok is_subwin is_syncok"
    ),
    _curses(
        "wmove mvcur getattrs getcurx getcury getbegx getbegy getmaxx getmaxy getparx getpary wattr_get wattr_on "
        "wattr_off wattr_set wattron wattroff wattrset wcolor_set wstandout wstandend wchgat mvwchgat wbkgd wbkgdset "
        "getbkgd wborder whline wvline mvwhline mvwvline werase wclear wclrtobot wclrtoeol wdelch mvwdelch wdeleteln "
        "winsdelln winsertln"
    ),
    _curses(
        "waddch mvwaddch wechochar waddstr waddnstr mvwaddstr mvwaddnstr waddchstr waddchnstr mvwaddchstr "
        "mvwaddchnstr winsch mvwinsch winsstr winsnstr mvwinsstr mvwinsnstr winch mvwinch winstr winnstr mvwinstr "
        "mvwinnstr winchstr winchnstr mvwinchstr mvwinchnstr wgetch mvwgetch wgetstr wgetnstr mvwgetstr mvwgetnstr "
        "wget_wch mvwget_wch wgetn_wstr wget_wstr mvwgetn_wstr mvwget_wstr wadd_wch mvwadd_wch waddwstr waddnwstr "
        "mvwaddwstr mvwaddnwstr setcchar getcchar unget_wch has_key define_key key_defined keyok has_mouse getmouse "
        "ungetmouse mousemask wenclose mouseinterval wmouse_trafo"
    ),
)

_HISTORY = _history(
    "using_history add_history add_history_time clear_history stifle_history unstifle_history history_is_stifled "
    "where_history history_total_bytes history_set_pos history_search history_search_prefix history_search_pos "
    "read_history read_history_range write_history append_history history_truncate_file"
)
"""Those that give back nothing of what they were given, and expand nothing, which asks a function of the program."""


def _of_units(names: str) -> str:
    """The names of functions for code units of 8, 16 and 32 bits."""
    return " ".join(f"pcre2_{name}_{bits}" for name in names.split() for bits in (8, 16, 32))


_PCRE: tuple[LibraryFunction, ...] = (
    _pcre(_of_units("general_context_create"), callbacks=_kept(0, 1)),
    _pcre(
        _of_units("set_callout set_substitute_callout set_compile_recursion_guard jit_stack_assign"), callbacks=_kept(1)
    ),
    _pcre(_of_units("callout_enumerate"), callbacks=(Callback(1, When.DURING_CALL),)),
    _pcre(
        _of_units(
            "config general_context_copy general_context_free compile_context_create compile_context_copy "
            "compile_context_free set_bsr set_character_tables set_compile_extra_options set_max_pattern_length "
            "set_newline set_parens_nest_limit match_context_create match_context_copy match_context_free "
            "set_depth_limit set_heap_limit set_match_limit set_offset_limit compile code_copy code_copy_with_tables "
            "code_free pattern_info match_data_create match_data_create_from_pattern match_data_free match dfa_match "
            "get_mark get_match_data_size get_ovector_count get_ovector_pointer get_startchar"
        )
    ),
    _pcre(
        _of_units(
            "substitute substring_copy_byname substring_copy_bynumber substring_free substring_get_byname "
            "substring_get_bynumber substring_length_byname substring_length_bynumber substring_list_free "
            "substring_list_get substring_nametable_scan substring_number_from_name get_error_message maketables "
            "maketables_free jit_compile jit_match jit_free_unused_memory jit_stack_create jit_stack_free"
        )
    ),
)

_RTLSDR: tuple[LibraryFunction, ...] = (
    _rtlsdr("rtlsdr_read_async rtlsdr_wait_async", callbacks=(Callback(1, When.DURING_CALL, (None, None, 2)),)),
    _rtlsdr(
        "rtlsdr_get_device_count rtlsdr_get_device_usb_strings rtlsdr_get_index_by_serial "
        "rtlsdr_open rtlsdr_close rtlsdr_set_xtal_freq rtlsdr_get_xtal_freq rtlsdr_get_usb_strings "
        "rtlsdr_set_center_freq rtlsdr_get_center_freq rtlsdr_set_freq_correction rtlsdr_get_freq_correction "
        "rtlsdr_get_tuner_type rtlsdr_get_tuner_gains rtlsdr_set_tuner_gain rtlsdr_get_tuner_gain "
        "rtlsdr_set_tuner_if_gain rtlsdr_set_tuner_gain_mode rtlsdr_set_sample_rate rtlsdr_get_sample_rate "
        "rtlsdr_set_testmode rtlsdr_set_agc_mode rtlsdr_set_direct_sampling rtlsdr_get_direct_sampling "
        "rtlsdr_set_offset_tuning rtlsdr_get_offset_tuning rtlsdr_reset_buffer rtlsdr_read_sync rtlsdr_cancel_async "
        "rtlsdr_set_tuner_bandwidth rtlsdr_set_bias_tee rtlsdr_set_bias_tee_gpio rtlsdr_read_eeprom "
        "rtlsdr_write_eeprom",
        brief=EACH,
    ),
)

_SQLITE: tuple[LibraryFunction, ...] = (
    _sqlite("sqlite3_exec", callbacks=(Callback(2, When.DURING_CALL),)),
    _sqlite("sqlite3_busy_handler", callbacks=_kept(1)),
    _sqlite("sqlite3_bind_text sqlite3_bind_text16 sqlite3_bind_blob", callbacks=_kept(4)),
    _sqlite(
        "sqlite3_open sqlite3_open_v2 sqlite3_close sqlite3_close_v2 sqlite3_prepare sqlite3_prepare_v2 "
        "sqlite3_prepare_v3 sqlite3_step sqlite3_finalize sqlite3_reset sqlite3_clear_bindings sqlite3_bind_int "
        "sqlite3_bind_int64 sqlite3_bind_double sqlite3_bind_null sqlite3_bind_zeroblob "
        "sqlite3_bind_parameter_index sqlite3_bind_parameter_count sqlite3_column_count "
        "sqlite3_column_type sqlite3_column_int sqlite3_column_int64 sqlite3_column_double sqlite3_column_text "
        "sqlite3_column_blob sqlite3_column_bytes sqlite3_data_count sqlite3_errcode "
        "sqlite3_extended_errcode sqlite3_changes sqlite3_total_changes sqlite3_last_insert_rowid "
        "sqlite3_busy_timeout sqlite3_get_table sqlite3_free_table sqlite3_mprintf sqlite3_vmprintf sqlite3_snprintf "
        "sqlite3_malloc sqlite3_malloc64 sqlite3_realloc sqlite3_free sqlite3_threadsafe sqlite3_initialize "
        "sqlite3_shutdown sqlite3_complete sqlite3_interrupt sqlite3_get_autocommit"
    ),
)

_XML: tuple[LibraryFunction, ...] = (
    _xml("xmlSetGenericErrorFunc xmlSetStructuredErrorFunc", callbacks=_kept(1)),
    _xml(
        "xmlInitParser xmlCleanupParser xmlParseFile xmlParseMemory xmlParseDoc xmlReadFile xmlReadMemory xmlReadDoc "
        "xmlReadFd xmlFreeDoc xmlDocGetRootElement xmlDocSetRootElement xmlNewDoc xmlNewNode xmlNewChild "
        "xmlNewTextChild xmlNewText xmlNewProp xmlSetProp xmlGetProp xmlHasProp xmlUnsetProp xmlNodeGetContent "
        "xmlNodeSetContent xmlNodeListGetString xmlAddChild xmlUnlinkNode xmlFreeNode xmlSaveFile xmlSaveFormatFile "
        "xmlSaveFileEnc xmlSaveFormatFileEnc xmlDocDump xmlDocDumpMemory xmlDocDumpFormatMemory xmlStrcmp xmlStrEqual "
        "xmlStrncmp xmlStrcasecmp xmlStrlen xmlStrdup xmlStrcat xmlCheckVersion xmlGetLastError xmlResetLastError"
    ),
)

_TEXTS: tuple[LibraryFunction, ...] = (
    _archive("archive_version_string", MESSAGE),
    _archive("archive_error_string archive_format_name archive_filter_name", _LENT_NAME),
    _crypto("EVP_CIPHER_get0_name EVP_MD_get0_name SSL_CIPHER_get_name", _LENT_NAME),
    _crypto("SSL_get_version OpenSSL_version", MESSAGE),
    _crypto("ERR_lib_error_string ERR_reason_error_string", _NAME),
    _cryptsetup("crypt_get_type crypt_get_uuid crypt_get_cipher crypt_get_cipher_mode", _LENT_NAME),
    _curl("curl_easy_strerror curl_multi_strerror curl_version", MESSAGE),
    _curses("curses_version", MESSAGE),
    _curses("keyname key_name longname termname", _LENT_NAME),
    _lzma("lzma_version_string", MESSAGE),
    _pcap("pcap_geterr", _LENT),
    _pcap("pcap_strerror pcap_statustostr pcap_lib_version", MESSAGE),
    _pcap("pcap_datalink_val_to_name", _NAME),
    _rtlsdr("rtlsdr_get_device_name", MESSAGE),
    _sqlite("sqlite3_errmsg", _LENT, releases=True),  # a later one gives back what an earlier one gave
    _sqlite("sqlite3_column_name", _LENT_NAME, releases=True),
    _sqlite("sqlite3_errstr sqlite3_libversion", MESSAGE),
    _sqlite("sqlite3_sql", _LENT_NAME),
    _zlib("zlibVersion zError", MESSAGE),
)
"""Those that give a string of the library, which the program does not modify, or perhaps null."""

OTHERS = (
    *(*_ARCHIVE, _ARCHIVE_GONE, *_BLUETOOTH, *_CRYPTO, *_CRYPTSETUP, *_CURL, *_CURSES, *_LZMA, *_PCAP),
    *(*_CIPHERS, _HISTORY, *_PCRE, *_SSL, *_RTLSDR, *_SQLITE, *_TEXTS, *_XML, *_ZLIB),
)
