"""The records of more libraries beside that of C: connections, sound, JSON and USB devices.

As in `other_libraries`, they say what is called of a program, and when, and what is kept of what it gives.

*Source*: the manual pages and headers of ALSA 1.2, GnuTLS 3.7, Jansson 2.14 and libusb 1.0.26. What is handled by
signals (`snd_async_add_handler`), or is found in structures that are handed over (`libusb_submit_transfer`), is not on
a list here, nor is what may call such a function (`libusb_bulk_transfer`), or is called by threads of a library
(`libusb_set_log_cb`). Of none it is told which arguments may be null.
"""

from __future__ import annotations

from functools import partial

from duet.frontend.ctypes.library import EACH, Callback, When
from duet.frontend.models.effects import MESSAGE, Effect, Text
from duet.frontend.models.record import LibraryFunction

_ALL = tuple(range(12))
_alsa = partial(LibraryFunction, library="ALSA", passed=_ALL, brief=EACH)
_gnutls = partial(LibraryFunction, library="GnuTLS", passed=_ALL, brief=EACH)
_jansson = partial(LibraryFunction, library="Jansson", passed=_ALL, brief=EACH)
_usb = partial(LibraryFunction, library="libusb", passed=_ALL, brief=EACH)
_NAME = Effect((), Text(is_constant=True))


def _kept(*positions: int) -> tuple[Callback, ...]:
    return tuple(Callback(position, When.DURING_CALLS) for position in positions)


def _each(start: str, names: str) -> str:
    """The names of functions with a common start."""
    return " ".join(f"{start}{name}" for name in names.split())


_ALSA: tuple[LibraryFunction, ...] = (
    _alsa("snd_lib_error_set_handler", callbacks=_kept(0), brief=()),
    _alsa("snd_mixer_set_callback snd_mixer_elem_set_callback", callbacks=_kept(1), brief=()),
    _alsa("snd_output_stdio_attach snd_pcm_link", brief=()),
    _alsa(
        _each(
            "snd_pcm_",
            "open close nonblock prepare reset start drop drain pause resume recover state wait avail avail_update "
            "delay "
            "avail_delay rewind forward writei readi writen readn mmap_writei mmap_readi mmap_begin mmap_commit "
            "poll_descriptors_count poll_descriptors poll_descriptors_revents set_params get_params dump info "
            "frames_to_bytes bytes_to_frames format_width format_physical_width format_size stream unlink",
        )
    ),
    _alsa(
        _each(
            "snd_pcm_hw_params",
            " _sizeof _malloc _free _any _copy _current _set_access _set_format _set_channels _set_channels_near "
            "_set_rate "
            "_set_rate_near _set_rate_resample _set_buffer_size _set_buffer_size_near _set_buffer_time_near "
            "_set_period_size _set_period_size_near _set_period_time_near _set_periods _set_periods_near _get_access "
            "_get_format _get_channels _get_rate _get_buffer_size _get_buffer_time _get_period_size _get_period_time "
            "_get_periods _get_channels_max _get_channels_min _get_rate_max _get_rate_min _test_rate _test_format "
            "_test_channels _test_access _can_pause",
        )
        + " snd_pcm_hw_params"
    ),
    _alsa(
        _each(
            "snd_pcm_sw_params_",
            "sizeof malloc free current set_start_threshold set_stop_threshold set_avail_min set_silence_size "
            "set_silence_threshold get_boundary",
        )
        + " snd_pcm_sw_params"
    ),
    _alsa(
        _each(
            "snd_mixer_",
            "open close attach detach load free first_elem last_elem elem_next elem_prev find_selem handle_events wait "
            "selem_register selem_id_sizeof selem_id_malloc selem_id_free selem_id_set_name selem_id_set_index "
            "selem_id_get_index selem_get_id selem_get_index selem_is_active selem_has_playback_volume "
            "selem_has_playback_switch selem_has_capture_volume selem_has_capture_switch selem_get_playback_volume "
            "selem_get_playback_volume_range selem_get_playback_dB selem_get_playback_dB_range "
            "selem_get_playback_switch "
            "selem_set_playback_volume selem_set_playback_volume_all selem_set_playback_dB selem_set_playback_dB_all "
            "selem_set_playback_switch selem_set_playback_switch_all selem_get_capture_volume selem_set_capture_volume "
            "selem_set_capture_volume_all selem_set_capture_switch_all",
        )
    ),
    _alsa(
        "snd_card_next snd_card_get_index snd_ctl_open snd_ctl_close snd_ctl_card_info snd_ctl_card_info_sizeof "
        "snd_config_update_free_global"
    ),
    _alsa("snd_strerror snd_asoundlib_version", MESSAGE),
    _alsa("snd_pcm_format_name snd_pcm_state_name snd_pcm_access_name", _NAME),
)

_GNUTLS: tuple[LibraryFunction, ...] = (
    _gnutls(
        "gnutls_global_set_log_function gnutls_global_set_audit_log_function gnutls_global_set_time_function",
        callbacks=_kept(0),
        brief=(),
    ),
    _gnutls("gnutls_global_set_mutex", callbacks=_kept(0, 1, 2, 3), brief=()),
    _gnutls("gnutls_global_set_mem_functions", callbacks=_kept(0, 1, 2, 3, 4), brief=()),
    _gnutls(
        _each("gnutls_transport_set_", "pull_function push_function vec_push_function pull_timeout_function")
        + " gnutls_transport_set_errno_function gnutls_certificate_set_verify_function "
        "gnutls_certificate_set_retrieve_function gnutls_certificate_set_retrieve_function2 "
        "gnutls_session_set_verify_function gnutls_handshake_set_post_client_hello_function "
        "gnutls_db_set_retrieve_function gnutls_db_set_store_function gnutls_db_set_remove_function "
        "gnutls_psk_set_client_credentials_function gnutls_psk_set_server_credentials_function",
        callbacks=_kept(1),
        brief=(),
    ),
    _gnutls("gnutls_handshake_set_hook_function", callbacks=_kept(3), brief=()),
    _gnutls(  # what they are given is referred to later, or given back
        "gnutls_transport_set_ptr gnutls_transport_set_ptr2 gnutls_transport_get_ptr gnutls_session_set_ptr "
        "gnutls_session_get_ptr gnutls_db_set_ptr gnutls_credentials_set gnutls_priority_set "
        "gnutls_certificate_set_dh_params gnutls_anon_set_server_dh_params gnutls_session_ticket_enable_server "
        "gnutls_certificate_get_peers gnutls_session_set_verify_cert gnutls_priority_init gnutls_priority_set_direct",
        brief=(),
    ),
    _gnutls(
        "gnutls_global_init gnutls_global_deinit gnutls_global_set_log_level gnutls_init gnutls_deinit gnutls_bye "
        "gnutls_handshake gnutls_handshake_set_timeout gnutls_rehandshake gnutls_record_send gnutls_record_recv "
        "gnutls_record_check_pending gnutls_record_get_max_size gnutls_record_set_max_size gnutls_record_set_timeout "
        "gnutls_record_cork gnutls_record_uncork gnutls_record_get_direction gnutls_error_is_fatal "
        "gnutls_transport_set_int2 gnutls_transport_get_int gnutls_alert_get gnutls_alert_send "
        "gnutls_alert_send_appropriate gnutls_set_default_priority "
        "gnutls_priority_deinit gnutls_server_name_set gnutls_server_name_get gnutls_session_is_resumed "
        "gnutls_session_get_data gnutls_session_get_data2 gnutls_session_set_data gnutls_session_get_id "
        "gnutls_session_ticket_key_generate gnutls_session_ticket_enable_client gnutls_alpn_set_protocols "
        "gnutls_alpn_get_selected_protocol gnutls_protocol_get_version gnutls_cipher_get gnutls_kx_get gnutls_mac_get"
    ),
    _gnutls(
        _each(
            "gnutls_certificate_",
            "allocate_credentials free_credentials set_x509_trust_file set_x509_trust_mem set_x509_trust_dir "
            "set_x509_crl_file set_x509_system_trust set_x509_key_file set_x509_key_file2 set_x509_key_mem "
            "set_x509_key_mem2 set_known_dh_params set_verify_flags set_verify_limits server_set_request verify_peers2 "
            "verify_peers3 type_get",
        )
        + " gnutls_dh_params_init gnutls_dh_params_deinit gnutls_dh_params_generate2 gnutls_dh_params_import_pkcs3 "
        "gnutls_dh_set_prime_bits gnutls_sec_param_to_pk_bits gnutls_x509_crt_init gnutls_x509_crt_deinit "
        "gnutls_x509_crt_import gnutls_x509_crt_check_hostname gnutls_x509_crt_get_dn "
        "gnutls_x509_crt_get_expiration_time "
        "gnutls_anon_allocate_server_credentials gnutls_anon_allocate_client_credentials "
        "gnutls_anon_free_server_credentials gnutls_anon_free_client_credentials gnutls_memset gnutls_memcmp "
        "gnutls_rnd "
        "gnutls_hash_fast gnutls_hash_get_len gnutls_hmac_fast gnutls_hmac_get_len"
    ),
    _gnutls("gnutls_strerror", MESSAGE),
    _gnutls(
        "gnutls_strerror_name gnutls_check_version gnutls_alert_get_name gnutls_cipher_get_name gnutls_kx_get_name "
        "gnutls_mac_get_name gnutls_protocol_get_name gnutls_certificate_type_get_name",
        _NAME,
    ),
)

_JANSSON: tuple[LibraryFunction, ...] = (
    _jansson("json_set_alloc_funcs", callbacks=_kept(0, 1), brief=()),
    _jansson("json_load_callback", callbacks=(Callback(0, When.DURING_CALL),), brief=()),
    _jansson("json_dump_callback", callbacks=(Callback(1, When.DURING_CALL),), brief=()),
    _jansson("json_object_set_new json_object_set_new_nocheck json_array_insert_new json_array_set_new", brief=(0, 1)),
    _jansson("json_array_append_new", brief=(0,)),
    _jansson(  # what they give back is a part of what they are given
        "json_object_get json_object_iter json_object_iter_at json_object_iter_next json_object_iter_value "
        "json_array_get json_pack json_unpack json_pack_ex json_unpack_ex json_copy json_deep_copy",
        brief=(),
    ),
    _jansson(
        "json_object json_array json_string json_stringn json_string_nocheck json_integer json_real json_true "
        "json_false "
        "json_null json_object_size json_object_del json_object_clear json_array_size json_array_remove "
        "json_array_clear "
        "json_string_length json_string_set json_integer_value json_integer_set json_real_value json_real_set "
        "json_number_value json_equal json_delete json_loads json_loadb json_loadf json_loadfd "
        "json_load_file json_dumps json_dumpb json_dumpf json_dumpfd json_dump_file json_object_seed"
    ),
    _jansson("jansson_version_str", MESSAGE),
)

_USB: tuple[LibraryFunction, ...] = (
    _usb("libusb_hotplug_register_callback", callbacks=_kept(6), brief=()),
    _usb("libusb_ref_device libusb_get_device libusb_get_parent libusb_wrap_sys_device", brief=()),
    _usb(
        _each(
            "libusb_",
            "init exit set_debug get_device_list free_device_list unref_device get_device_descriptor "
            "get_active_config_descriptor get_config_descriptor get_config_descriptor_by_value free_config_descriptor "
            "get_bus_number get_port_number get_device_address get_device_speed get_max_packet_size open close "
            "open_device_with_vid_pid get_configuration set_configuration claim_interface release_interface "
            "set_interface_alt_setting clear_halt reset_device kernel_driver_active detach_kernel_driver "
            "attach_kernel_driver set_auto_detach_kernel_driver "
            "get_string_descriptor_ascii hotplug_deregister_callback has_capability",
        )
    ),
    _usb("libusb_error_name libusb_strerror", MESSAGE),
)

FURTHER = (*_ALSA, *_GNUTLS, *_JANSSON, *_USB)
