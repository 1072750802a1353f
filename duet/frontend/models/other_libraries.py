"""The records of libraries beside that of C: what they call of a program, and when; what they change is not known.

*Source*: the manual pages and headers of libarchive 3.6, libcrypto 3.0, libcryptsetup 2.6, liblzma 5.4, libpcap 1.10
and zlib 1.2. What is not on a list here may call what it is given, and what it finds, at any time. Functions of
libarchive and libpcap use what their first argument leads to, unless they take null there; those of liblzma and zlib
mostly refuse null with an error; of those of libcrypto and libcryptsetup it is not told.
"""

from __future__ import annotations

from functools import partial

from duet.frontend.ctypes.library import Callback, When
from duet.frontend.ctypes.types import ADDRESS, UINT, VOID, VOID_POINTER, FunctionType
from duet.frontend.models.record import LibraryFunction

_LATER = tuple(range(1, 12))
"""The positions of all arguments but the first one: of these it is not told which may be null."""
_ALL = (0, *_LATER)
_archive = partial(LibraryFunction, library="libarchive", passed=_LATER)
_crypto = partial(LibraryFunction, library="libcrypto", passed=_ALL)
_cryptsetup = partial(LibraryFunction, library="libcryptsetup", passed=_ALL)
_pcap = partial(LibraryFunction, library="libpcap", passed=_LATER)
_FREE = FunctionType(VOID, (VOID_POINTER, VOID_POINTER))
_ALLOCATORS = (*(FunctionType(VOID_POINTER, (VOID_POINTER, size, size)) for size in (UINT, ADDRESS)), _FREE)
"""Of functions in streams, or in structures that streams lead to: what allocates memory, and what frees it."""
_lzma = partial(LibraryFunction, library="liblzma", finds=_ALLOCATORS, passed=_ALL)
_zlib = partial(LibraryFunction, library="zlib", finds=_ALLOCATORS, passed=_ALL)


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
        "archive_errno archive_error_string archive_format archive_format_name archive_filter_bytes "
        "archive_filter_code archive_filter_count archive_filter_name archive_file_count archive_clear_error "
        "archive_version_number archive_version_string"
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
    ),
    _crypto(
        "EVP_CIPHER_do_all_provided EVP_MD_do_all_provided OBJ_NAME_do_all OBJ_NAME_do_all_sorted",
        callbacks=(Callback(1, When.DURING_CALL),),
    ),
    _crypto(
        "EVP_CIPHER_CTX_new EVP_CIPHER_CTX_reset EVP_CIPHER_CTX_free EVP_CIPHER_CTX_copy EVP_CIPHER_CTX_set_padding "
        "EVP_CIPHER_CTX_set_key_length EVP_CIPHER_CTX_get_block_size EVP_CIPHER_CTX_get_key_length "
        "EVP_CIPHER_CTX_get_iv_length EVP_CIPHER_get_nid EVP_CIPHER_get0_name EVP_CIPHER_get_block_size "
        "EVP_CIPHER_get_key_length EVP_CIPHER_get_iv_length EVP_get_cipherbyname EVP_get_digestbyname"
    ),
    _crypto(
        "EVP_EncryptInit EVP_EncryptInit_ex EVP_EncryptUpdate EVP_EncryptFinal EVP_EncryptFinal_ex "
        "EVP_DecryptInit EVP_DecryptInit_ex EVP_DecryptUpdate EVP_DecryptFinal EVP_DecryptFinal_ex "
        "EVP_CipherInit EVP_CipherInit_ex EVP_CipherUpdate EVP_CipherFinal EVP_CipherFinal_ex "
        "EVP_BytesToKey PKCS5_PBKDF2_HMAC PKCS5_PBKDF2_HMAC_SHA1"
    ),
    _crypto(
        "EVP_MD_CTX_new EVP_MD_CTX_reset EVP_MD_CTX_free EVP_DigestInit EVP_DigestInit_ex EVP_DigestUpdate "
        "EVP_DigestFinal EVP_DigestFinal_ex EVP_Digest EVP_MD_get_size EVP_MD_get0_name EVP_md5 EVP_sha1 EVP_sha256 "
        "EVP_sha384 EVP_sha512 EVP_aes_128_cbc EVP_aes_192_cbc EVP_aes_256_cbc EVP_aes_128_ctr EVP_aes_256_ctr "
        "EVP_aes_128_gcm EVP_aes_256_gcm"
    ),
)

_CRYPTSETUP: tuple[LibraryFunction, ...] = (
    _cryptsetup("crypt_set_log_callback crypt_set_confirm_callback", callbacks=_kept(1)),
    _cryptsetup(
        "crypt_init crypt_init_by_name crypt_load crypt_format crypt_free crypt_activate_by_passphrase "
        "crypt_activate_by_volume_key crypt_deactivate crypt_status crypt_get_type crypt_get_uuid crypt_get_cipher "
        "crypt_get_cipher_mode crypt_get_volume_key_size crypt_keyslot_add_by_passphrase crypt_keyslot_destroy "
        "crypt_volume_key_get crypt_log"
    ),
)

_LZMA: tuple[LibraryFunction, ...] = (
    _lzma(
        "lzma_code lzma_end lzma_easy_encoder lzma_stream_encoder lzma_alone_encoder lzma_raw_encoder "
        "lzma_stream_decoder lzma_auto_decoder lzma_alone_decoder lzma_raw_decoder lzma_memusage lzma_memlimit_get "
        "lzma_memlimit_set lzma_get_check lzma_filters_update lzma_filters_copy lzma_filters_free lzma_lzma_preset "
        "lzma_check_size lzma_check_is_supported lzma_crc32 lzma_crc64 lzma_version_number lzma_version_string"
    ),
    _lzma(
        "lzma_block_header_size lzma_block_header_encode lzma_block_header_decode lzma_block_compressed_size "
        "lzma_block_unpadded_size lzma_block_total_size lzma_block_encoder lzma_block_decoder "
        "lzma_block_buffer_bound lzma_block_buffer_encode lzma_block_buffer_decode lzma_block_uncomp_encode "
        "lzma_stream_header_encode lzma_stream_header_decode lzma_stream_footer_encode lzma_stream_footer_decode "
        "lzma_stream_flags_compare lzma_stream_buffer_bound lzma_stream_buffer_encode lzma_stream_buffer_decode "
        "lzma_easy_buffer_encode lzma_vli_size lzma_vli_encode lzma_vli_decode"
    ),
    _lzma(
        "lzma_index_init lzma_index_end lzma_index_append lzma_index_cat lzma_index_dup lzma_index_stream_flags "
        "lzma_index_stream_padding lzma_index_stream_count lzma_index_stream_size lzma_index_block_count "
        "lzma_index_size lzma_index_total_size lzma_index_file_size lzma_index_uncompressed_size lzma_index_checks "
        "lzma_index_memusage lzma_index_memused lzma_index_iter_init lzma_index_iter_rewind lzma_index_iter_next "
        "lzma_index_iter_locate lzma_index_encoder lzma_index_decoder lzma_index_buffer_encode "
        "lzma_index_buffer_decode"
    ),
)

_PCAP: tuple[LibraryFunction, ...] = (
    _pcap("pcap_loop pcap_dispatch", callbacks=(Callback(2, When.DURING_CALL, (3, None, None)),)),
    _pcap(
        "pcap_activate pcap_open_dead pcap_open_offline pcap_close pcap_breakloop "
        "pcap_next pcap_next_ex pcap_compile pcap_setfilter pcap_freecode pcap_offline_filter pcap_datalink "
        "pcap_set_datalink pcap_list_datalinks pcap_datalink_val_to_name pcap_snapshot "
        "pcap_set_snaplen pcap_set_promisc pcap_set_timeout pcap_set_buffer_size pcap_set_immediate_mode "
        "pcap_setnonblock pcap_getnonblock pcap_setdirection pcap_get_selectable_fd pcap_fileno pcap_stats "
        "pcap_inject pcap_sendpacket pcap_perror pcap_geterr pcap_strerror pcap_statustostr pcap_lib_version "
        "pcap_lookupdev pcap_findalldevs pcap_dump_open pcap_dump pcap_dump_close "
        "pcap_dump_flush"
    ),
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
        "crc32_combine zlibVersion zlibCompileFlags zError"
    ),
)

OTHERS = (*_ARCHIVE, _ARCHIVE_GONE, *_CRYPTO, *_CRYPTSETUP, *_LZMA, *_PCAP, *_ZLIB)
