"""Libraries beside that of C: which functions of a program they call, and when.

The headers are short ones of our own, at a place where system headers are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.lower import Lowered, lower
from duet.frontend.models import unknown
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions

HEADER = """
struct archive; struct sha { unsigned state[16]; };
typedef int open_function(struct archive *, void *);
typedef long read_function(struct archive *, void *, const void **);
struct archive *archive_read_new(void);
int archive_read_open(struct archive *, void *, open_function *, read_function *, open_function *);
int archive_read_close(struct archive *);
int archive_read_unlisted(struct archive *, void *, open_function *);
struct allocator { void *(*alloc)(void *, unsigned long, unsigned long); void (*free)(void *, void *); void *opaque; };
struct stream { unsigned char *next; struct allocator *allocator; void *hidden; };
int lzma_code(struct stream *, int);
typedef void packet_function(unsigned char *, const void *, const unsigned char *);
int pcap_dispatch(void *, int, packet_function *, unsigned char *);
void pcap_close(void *); void keep(void *);
typedef void cipher_function(const void *, const char *, const char *, void *);
void EVP_CIPHER_do_all_sorted(cipher_function *, void *); void *EVP_CIPHER_CTX_new(void);
void crypt_set_log_callback(void *, void (*)(int, const char *, void *), void *); int crypt_load(void *, const char *);
int EVP_DecryptUpdate(void *, unsigned char *, int *, const unsigned char *, int);
typedef unsigned in_function(void *, unsigned char **);
typedef int out_function(void *, unsigned char *, unsigned);
struct flow { unsigned char *next; void *(*zalloc)(void *, unsigned, unsigned); void (*zfree)(void *, void *); };
int inflateBack(struct flow *, in_function *, void *, out_function *, void *);
int inflate(struct flow *, int);
union sigval { int sival_int; void *sival_ptr; };
struct sigevent {
  union sigval value; int signo, notify;
  union { int room[12]; struct { void (*run)(union sigval); void *how; } thread; } how;
};
struct aiocb { int descriptor; struct sigevent told; };
int mq_notify(int, const struct sigevent *);
int aio_read(struct aiocb *);
void (*signal(int, void (*)(int)))(int);
int atexit(void (*)(void));
void *initscr(void); int waddstr(void *, const char *); int tputs(const char *, int, int (*)(int)); int endwin(void);
int rtlsdr_read_async(void *, void (*)(unsigned char *, unsigned, void *), void *, unsigned, unsigned);
int rtlsdr_reset_buffer(void *);
int hci_for_each_dev(int, int (*)(int, int, long), long); int hci_close_dev(int);
int curl_easy_setopt(void *, int, ...); int curl_easy_perform(void *); void curl_global_cleanup(void);
int sqlite3_exec(void *, const char *, int (*)(void *, int, char **, char **), void *, char **);
int sqlite3_bind_text(void *, int, const char *, int, void (*)(void *)); int sqlite3_step(void *);
int sqlite3_create_collation(void *, const char *, int, void *, int (*)(void *, int, const void *, int, const void *));
void xmlSetGenericErrorFunc(void *, void (*)(void *, const char *, ...)); void *xmlParseFile(const char *);
struct if_nameindex *if_nameindex(void); void *iconv_open(const char *, const char *); int sethostent(int);
void using_history(void); void add_history(const char *); int history_expand(char *, char **);
int res_search(const char *, int, int, unsigned char *, int); int __sched_cpucount(unsigned long, const void *);
typedef int callout_function(void *, void *); int pcre2_set_callout_8(void *, callout_function *, void *);
void *pcre2_compile_8(const unsigned char *, unsigned long, unsigned, int *, unsigned long *, void *);
int pcre2_match_8(void *, const unsigned char *, unsigned long, unsigned long, unsigned, void *, void *);
int printf_size(void *, const void *, const void *const *); void mtrace(void);
void crypt_log(void *, int, const char *); char *pcap_geterr(void *); unsigned long strlen(const char *);
const char *EVP_MD_get0_name(const void *); const char *sqlite3_errmsg(void *); int sqlite3_close(void *);
struct filter { unsigned long id; void *options; }; void *malloc(unsigned long);
int lzma_filters_copy(const struct filter *, struct filter *, const struct allocator *);
void lzma_filters_free(struct filter *, const struct allocator *); void *lzma_index_init(const struct allocator *);
typedef struct window { int at; struct window *parent; } WINDOW; WINDOW *derwin(WINDOW *, int, int, int, int);
WINDOW *wgetparent(const WINDOW *);
int EVP_EncryptInit_ex(void *, const void *, void *, const unsigned char *, const unsigned char *);
int *EVP_CIPHER_CTX_cipher(const void *);
typedef struct bio BIO; BIO *BIO_new_mem_buf(const void *, int); BIO *BIO_push(BIO *, BIO *);
long BIO_ctrl(BIO *, int, long, void *);
int BIO_write(BIO *, const void *, int); int BIO_read(BIO *, void *, int);
int SHA256_Init(struct sha *); int SHA256_Update(struct sha *, const void *, unsigned long);
int SHA256_Final(unsigned char *, struct sha *); int RAND_bytes(unsigned char *, int);
typedef int password_function(char *, int, int, void *);
void *PEM_read_bio_X509(BIO *, void **, password_function *, void *);
void *SSL_CTX_new(const void *); void SSL_CTX_set_default_passwd_cb(void *, password_function *);
int SSL_connect(void *); void *SSL_new(void *);
void gnutls_global_set_log_function(void (*)(int, const char *)); int gnutls_handshake(void *);
long gnutls_record_recv(void *, void *, unsigned long); void gnutls_transport_set_ptr(void *, void *);
void *gnutls_transport_get_ptr(void *);
int snd_lib_error_set_handler(void (*)(const char *)); int snd_pcm_start(void *);
int snd_pcm_hw_params_set_rate_near(void *, void *, unsigned *, int *);
int snd_async_add_handler(void **, int, void (*)(void *), void *);
int json_dump_callback(const void *, int (*)(const char *, unsigned long, void *), void *, unsigned long);
int json_array_append_new(void *, void *); void json_delete(void *);
int libusb_submit_transfer(void *); int libusb_claim_interface(void *, int);
"""
START = """
#include <library.h>
extern int any(void);
int done;
int opened(struct archive *a, void *data) { done = 1; return 0; }
long got(struct archive *a, void *data, const void **where) { done = 1; return 0; }
void packet(unsigned char *user, const void *header, const unsigned char *bytes) { done = 1; }
int kept; unsigned char *seen; packet_function *chosen;
void count(unsigned char *user, const void *header, const unsigned char *bytes) { ++*(int *)user; }
void hold(unsigned char *user, const void *header, const unsigned char *bytes) { seen = user; }
void look(unsigned char *user, const void *header, const unsigned char *bytes) { if (!header || !bytes) done = 1; }
void cipher(const void *it, const char *from, const char *to, void *data) { done = 1; }
void log_it(int level, const char *text, void *data) { done = 1; }
void *get(void *opaque, unsigned long count, unsigned long size) { return 0; }
void give(void *opaque, void *what) { done = 1; }
void work(void) { done = 1; }
void clear() { done = 1; }
void old_style(opaque, what) void *opaque, *what; { done = 1; }
void told(union sigval value) { done = 1; }
void *take(void *opaque, unsigned count, unsigned size) { done = 1; return 0; }
unsigned more(void *own, unsigned char **where) { done = 1; return 0; }
int put(void *own, unsigned char *what, unsigned size) { done = 1; return 0; }
struct both { unsigned char *bytes; void (*run)(void); } both = {0, work};
struct allocator mine = {get, give, 0};
void assert(int);
int letter(int code) { done = 1; return code; }
void samples(unsigned char *bytes, unsigned count, void *user) { if (!bytes) done = 1; *(int *)user = 1; }
int device(int descriptor, int number, long user) { done = 1; return 0; }
long body(char *bytes, long size, long count, void *user) { done = 1; return size * count; }
int row(void *user, int count, char **values, char **names) { done = 1; return 0; }
int order(void *user, int n, const void *one, int m, const void *other) { done = 1; return 0; }
void complain(void *user, const char *format, ...) { done = 1; }
int callout(void *block, void *user) { done = 1; return 0; }
int password(char *where, int size, int mode, void *user) { done = 1; if (user) *(int *)user = 1; return 0; }
int pool[512];
void *from_pool(void *opaque, unsigned long n, unsigned long size) { return pool; }
void to_pool(void *opaque, void *which) { }
struct allocator pooled = {from_pool, to_pool, 0};
void write_it(int level, const char *text, void *data) { *(int *)text = 1; }
void note(int level, const char *text) { done = 1; }
void fault(const char *text) { done = 1; }
int dumped(const char *text, unsigned long size, void *user) { done = 1; return 0; }
struct transfer { int length; void (*callback)(struct transfer *); unsigned char *buffer; };
void arrived(struct transfer *it) { done = 1; }
struct transfer transfer = {0, arrived, 0};
"""
TRUE = {
    "kept for connections and sound, called only while a function runs": """
  gnutls_global_set_log_function(note);
  snd_lib_error_set_handler(fault);
  done = 0;
  assert(done == 0);""",
    "used by connections and sound for one call": """
  unsigned rate = 3;
  int buffer[2] = {0}, direction;
  snd_pcm_hw_params_set_rate_near(0, 0, &rate, &direction);
  gnutls_record_recv(0, buffer, sizeof buffer);
  rate = 3, buffer[0] = 1;
  gnutls_handshake(0);
  snd_pcm_start(0);
  assert(rate == 3 && buffer[0] == 1);""",
    "texts, for one call": """
  json_dump_callback(0, dumped, 0, 0);
  done = 0;
  json_delete(0);
  assert(done == 0);""",
    "used during one call": """
  int n;
  EVP_DecryptUpdate(EVP_CIPHER_CTX_new(), (unsigned char *)&done, &n, 0, 4);
  done = 0, n = 3;
  EVP_DecryptUpdate(EVP_CIPHER_CTX_new(), 0, 0, 0, 0);
  pcap_close(0);
  initscr();
  assert(done == 0 && n == 3);""",
    "nothing comes back of it": """
  unsigned char *found, key[8];
  int n = 3, **where = EVP_CIPHER_CTX_new();
  EVP_DecryptUpdate(where, key, &n, key, 8);
  n = 3;
  found = EVP_CIPHER_CTX_new();
  if (found) *found = 4;
  if (where) **where = 4;
  assert(n == 3);""",
    "nothing for lines, names and processors": """
  static void (*run)(void) = work;
  static unsigned char answer[64];
  done = 0;
  using_history();
  add_history((char *)&run);
  res_search((char *)&run, 1, 1, answer, 64);
  __sched_cpucount(8, &run);
  assert(done == 0);""",
    "kept for matches": """
  int code;
  unsigned long at;
  pcre2_set_callout_8(0, callout, 0);
  pcre2_compile_8((unsigned char *)"a", 1, 0, &code, &at, 0);
  done = 0;
  waddstr(0, "text");
  assert(done == 0);""",
    "characters, for one call": """
  tputs("text", 1, letter);
  done = 0;
  initscr();
  waddstr(0, "text");
  endwin();
  assert(done == 0);""",
    "samples, for one call": """
  rtlsdr_read_async(0, samples, &kept, 0, 0);
  assert(done == 0);
  kept = 0;
  rtlsdr_reset_buffer(0);
  assert(kept == 0);""",
    "devices, rows, for one call": """
  hci_for_each_dev(0, device, 0);
  sqlite3_exec(0, "", row, 0, 0);
  done = 0;
  hci_close_dev(0);
  sqlite3_step(0);
  assert(done == 0);""",
    "kept for transfers, errors and texts": """
  curl_easy_setopt(0, 20011, body);
  xmlSetGenericErrorFunc(0, complain);
  sqlite3_bind_text(0, 1, "", 0, (void (*)(void *))give);
  done = 0;
  if_nameindex();
  assert(done == 0);""",
    "nothing of the C library": """
  static void (*run)(void) = work;
  done = 0;
  iconv_open((char *)&run, (char *)&both);
  sethostent(1);
  assert(done == 0);""",
    "kept, but called only while a function runs": """
  struct archive *a = archive_read_new();
  archive_read_open(a, 0, opened, got, opened);
  done = 0;
  assert(done == 0);""",
    "given for one call": """
  pcap_dispatch(0, 1, packet, 0);
  done = 0;
  assert(done == 0);
  pcap_close(0);
  assert(done == 0);""",
    "a function gets what was given for it, and memory of the library": """
  kept = 0;
  pcap_dispatch(0, 1, look, (unsigned char *)&kept);
  pcap_close(0);
  assert(kept == 0 && done == 0);
  pcap_dispatch(0, 1, count, (unsigned char *)&kept);
  assert(done == 0);""",
    "given to go through a list": """
  unsigned char text[8];
  int n;
  void *handle = EVP_CIPHER_CTX_new();
  EVP_CIPHER_do_all_sorted(cipher, 0);
  done = 0;
  EVP_DecryptUpdate(handle, text, &n, text, 8);
  assert(done == 0);""",
    "kept for what there is to say": """
  crypt_set_log_callback(0, log_it, 0);
  done = 0;
  pcap_close(0);
  assert(done == 0);""",
    "input and output of one call": """
  struct flow s = {0, 0, 0};
  inflateBack(&s, more, 0, put, 0);
  done = 0;
  inflate(&s, 0);
  assert(done == 0);""",
    "functions of other types, in what is given": """
  struct stream s = {(unsigned char *)&both, 0, 0};
  done = 0;
  lzma_code(&s, 0);
  assert(done == 0);""",
}
TRUE |= {
    "a function without parameters, which takes no arguments": """
  static void (*run)() = clear;
  struct stream s = {(unsigned char *)&run, 0, 0};
  done = 0;
  lzma_code(&s, 0);
  assert(done == 0);""",
    "a digest is written, and nothing else": """
  static struct { unsigned char digest[32]; int n; } s = {{0}, 3};
  struct sha state;
  SHA256_Init(&state);
  SHA256_Update(&state, &s, sizeof s);
  SHA256_Final(s.digest, &state);
  RAND_bytes(s.digest, 32);
  assert(s.n == 3 && done == 0);""",
    "a stream reads and writes bytes": """
  static unsigned char text[8];
  int n = 3;
  BIO *stream = BIO_new_mem_buf("text", 4);
  BIO_write(stream, &n, 4);
  BIO_read(stream, text, 8);
  assert(n == 3 && done == 0);""",
    "what is to be written is only read": """
  int n = 3;
  struct { int before, *behind; } pair = {2, &n};
  BIO_write(BIO_new_mem_buf("text", 4), &pair, sizeof pair);
  assert(pair.before == 2 && pair.behind == &n);""",
    "what is to be encrypted is only read": """
  unsigned char plain[4] = {1, 2, 3, 4}, text[4];
  int length;
  EVP_DecryptUpdate(EVP_CIPHER_CTX_new(), text, &length, plain, 4);
  assert(plain[1] == 2);""",
    "passwords are asked for while a certificate is read": """
  PEM_read_bio_X509(BIO_new_mem_buf("text", 4), 0, password, 0);
  done = 0;
  BIO_write(0, "text", 4);
  assert(done == 0);""",
}
FALSE = {
    "kept for connections": """
  gnutls_global_set_log_function(note);
  done = 0;
  gnutls_handshake(0);
  assert(done == 0);""",
    "kept for sound": """
  snd_lib_error_set_handler(fault);
  done = 0;
  snd_pcm_start(0);
  assert(done == 0);""",
    "referred to by connections": """
  int n = 3, *found;
  gnutls_transport_set_ptr(0, &n);
  found = gnutls_transport_get_ptr(0);
  n = 3;
  if (found) *found = 4;
  assert(n == 3);""",
    "handled by signals": """
  snd_async_add_handler(0, 0, (void (*)(void *))give, 0);
  done = 0;
  assert(done == 0);""",
    "found in a structure": """
  libusb_submit_transfer(&transfer);
  done = 0;
  libusb_claim_interface(0, 0);
  assert(done == 0);""",
    "what a stream reads from": """
  static char text[4];
  BIO *stream = BIO_push(BIO_new_mem_buf(text, 4), 0);
  char *where;
  BIO_ctrl(stream, 3, 0, &where);
  text[0] = 0;
  *where = 1;
  assert(text[0] == 0);""",
    "what is read": """
  int n = 3;
  BIO_read(0, &n, 4);
  assert(n == 3);""",
    "what is written leads on": """
  int n = 3, *pointer = &n;
  BIO_write(0, &pointer, sizeof pointer);
  assert(n == 3);""",
    "encrypted in place": """
  unsigned char text[4] = {1, 2, 3, 4};
  int length;
  EVP_DecryptUpdate(EVP_CIPHER_CTX_new(), text, &length, text, 4);
  assert(text[1] == 2);""",
    "written where a stream reads from": """
  static char text[4];
  BIO *stream = BIO_new_mem_buf(text, 4);
  text[0] = 1;
  BIO_write(stream, text, 4);
  assert(text[0] == 1);""",
    "a digest": """
  static unsigned char digest[32];
  struct sha state;
  SHA256_Init(&state);
  digest[31] = 0;
  SHA256_Final(digest, &state);
  assert(digest[31] == 0);""",
    "a password of a key": """
  int n = 0;
  PEM_read_bio_X509(BIO_new_mem_buf("text", 4), 0, password, &n);
  assert(n == 0);""",
    "a password of a connection": """
  void *context = SSL_CTX_new(0);
  SSL_CTX_set_default_passwd_cb(context, password);
  done = 0;
  SSL_connect(SSL_new(context));
  assert(done == 0);""",
    "the method of a context": """
  static int method;
  void *context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, &method, 0, 0, 0);
  int *found = EVP_CIPHER_CTX_cipher(context);
  method = 0;
  if (found) *found = 1;
  assert(method == 0);""",
    "what is copied with a pointer in it": """
  static struct { int size; int *preset; } options = {1, &done};
  struct filter from[2] = {{1, &options}, {-1UL, 0}}, to[2];
  if (lzma_filters_copy(from, to, 0)) return 0;
  int **copied = to[0].options;
  done = 0;
  *copied[1] = 1;
  assert(done == 0);""",
    "memory of the program that an allocator gives": """
  int *index = lzma_index_init(&pooled);
  if (!index) return 0;
  pool[0] = 0;
  *index = 1;
  assert(pool[0] == 0);""",
    "a window inside of another one": """
  WINDOW outer = {0, 0}, *inner = derwin(&outer, 1, 1, 0, 0);
  outer.at = 0;
  if (inner && inner->parent) inner->parent->at = 1;
  assert(outer.at == 0);""",
    "the window around another one": """
  WINDOW outer = {0, 0}, inner = {0, &outer}, *found = wgetparent(&inner);
  outer.at = 0;
  if (found) found->at = 1;
  assert(outer.at == 0);""",
    "what a stream keeps": """
  static struct stream s = {(unsigned char *)&done, 0, 0};
  lzma_code(&s, 0);
  done = 0;
  lzma_code(EVP_CIPHER_CTX_new(), 0);
  assert(done == 0);""",
    "what is used during this call": """
  done = 0;
  EVP_DecryptUpdate(EVP_CIPHER_CTX_new(), 0, &done, 0, 0);
  assert(done == 0);""",
    "what others have, by what the program has of the library": """
  keep(&done);
  done = 0;
  crypt_load(EVP_CIPHER_CTX_new(), "");
  assert(done == 0);""",
    "what there is to say is given on": """
  crypt_set_log_callback(0, write_it, 0);
  crypt_log(0, 0, (char *)&done);
  assert(done == 0);""",
    "what is kept for matches": """
  pcre2_set_callout_8(0, callout, 0);
  done = 0;
  pcre2_match_8(0, (unsigned char *)"a", 1, 0, 0, 0, 0);
  assert(done == 0);""",
    "a question to the program, which is not on the list": """
  static void (*run)(void) = work;
  char *found;
  done = 0;
  history_expand((char *)&run, &found);
  assert(done == 0);""",
    "an answer": """
  res_search("name", 1, 1, (unsigned char *)&done, 4);
  assert(done == 0);""",
    "characters": """
  tputs("text", 1, letter);
  assert(done == 0);""",
    "samples": """
  rtlsdr_read_async(0, samples, &kept, 0, 0);
  assert(kept == 0);""",
    "devices": """
  hci_for_each_dev(0, device, 0);
  assert(done == 0);""",
    "rows": """
  sqlite3_exec(0, "", row, 0, 0);
  assert(done == 0);""",
    "what is kept for transfers": """
  curl_easy_setopt(0, 20011, body);
  done = 0;
  curl_easy_perform(0);
  assert(done == 0);""",
    "what is kept for errors": """
  xmlSetGenericErrorFunc(0, complain);
  done = 0;
  xmlParseFile("name");
  assert(done == 0);""",
    "what is kept for texts": """
  sqlite3_bind_text(0, 1, "", 0, (void (*)(void *))give);
  done = 0;
  sqlite3_step(0);
  assert(done == 0);""",
    "an order, which is not on the list, at any time": """
  sqlite3_create_collation(0, "", 0, 0, order);
  done = 0;
  assert(done == 0);""",
    "a function of the C library that is not on the list": """
  printf_size(0, &both, 0);
  done = 0;
  assert(done == 0);""",
    "opened at once": """
  struct archive *a = archive_read_new();
  archive_read_open(a, 0, opened, 0, 0);
  assert(done == 0);""",
    "read at once": """
  struct archive *a = archive_read_new();
  archive_read_open(a, 0, 0, got, 0);
  assert(done == 0);""",
    "called by a later function": """
  struct archive *a = archive_read_new();
  archive_read_open(a, 0, opened, got, opened);
  done = 0;
  archive_read_close(a);
  assert(done == 0);""",
    "called by a later function with another handle": """
  struct archive *a = archive_read_new(), *b = archive_read_new();
  archive_read_open(a, 0, opened, got, opened);
  done = 0;
  archive_read_close(b);
  assert(done == 0);""",
    "given to a function that is not on the list, and at any time": """
  archive_read_unlisted(0, 0, opened);
  done = 0;
  assert(done == 0);""",
    "called for one call": """
  pcap_dispatch(0, 1, packet, 0);
  assert(done == 0);""",
    "what is given for a function": """
  pcap_dispatch(0, 1, count, (unsigned char *)&kept);
  pcap_dispatch(0, 1, count, (unsigned char *)(any() ? &done : &kept));
  assert(done == 0);""",
    "what is given for a function of the library": """
  pcap_dispatch(0, 1, (packet_function *)keep, (unsigned char *)&done);
  assert(done == 0);""",
    "and kept by it": """
  pcap_dispatch(0, 1, hold, (unsigned char *)&done);
  keep(seen);
  assert(done == 0);""",
    "and given to others, too": """
  keep(&done);
  keep(count);
  pcap_dispatch(0, 1, count, (unsigned char *)&kept);
  assert(done == 0);""",
    "and for a function that is not known": """
  keep(&chosen);
  pcap_dispatch(0, 1, chosen, (unsigned char *)&done);
  assert(done == 0);""",
    "a list": """
  EVP_CIPHER_do_all_sorted(cipher, 0);
  assert(done == 0);""",
    "what is decrypted": """
  int n;
  EVP_DecryptUpdate(0, (unsigned char *)&done, &n, 0, 4);
  assert(done == 0);""",
    "a function that others have, while something is decrypted": """
  int n;
  keep(cipher);
  done = 0;
  EVP_DecryptUpdate(0, 0, &n, 0, 0);
  assert(done == 0);""",
    "what there is to say": """
  crypt_set_log_callback(0, log_it, 0);
  done = 0;
  crypt_load(0, "");
  assert(done == 0);""",
    "input of one call": """
  struct flow s = {0, 0, 0};
  inflateBack(&s, more, 0, 0, 0);
  assert(done == 0);""",
    "output of one call": """
  struct flow s = {0, 0, 0};
  inflateBack(&s, 0, 0, put, 0);
  assert(done == 0);""",
    "what allocates, in a later call, too": """
  struct flow s = {0, take, give};
  inflateBack(&s, 0, 0, 0, 0);
  done = 0;
  inflate(&s, 0);
  assert(done == 0);""",
    "a notification": """
  struct sigevent s = {{0}, 0, 2};
  s.how.thread.run = told;
  mq_notify(3, &s);
  done = 0;
  assert(done == 0);""",
    "a notification of a request": """
  static struct aiocb s;
  s.told.how.thread.run = told;
  aio_read(&s);
  done = 0;
  assert(done == 0);""",
    "an allocator": """
  struct stream s = {0, &mine, 0};
  lzma_code(&s, 0);
  assert(done == 0);""",
    "an allocator of the old style": """
  struct stream s = {0, 0, any() ? (void *)old_style : 0};
  lzma_code(&s, 0);
  assert(done == 0);""",
    "an allocator behind what is not known": """
  struct stream s = {0, 0, any() ? (void *)&mine : 0};
  lzma_code(&s, 0);
  assert(done == 0);""",
}
HANDLERS = """
#include <library.h>
void packet(unsigned char *user, const void *header, const unsigned char *bytes) {}
void interrupted(int number) { pcap_close(0); }
void ended(void) {}
int main(void) {
  signal(2, interrupted);
  atexit(ended);
  pcap_dispatch(0, 1, packet, 0);
  return 0;
}
"""
SMALL = Budgets(inlined_commands=-1, small_commands=-1, program_commands=-1)


def lowered(folder: Path, text: str, budgets: Budgets, *properties: str) -> Lowered:
    """A program that includes the header."""
    headers = folder / "usr" / "include"
    headers.mkdir(parents=True)
    (headers / "library.h").write_text(HEADER, encoding="utf-8")
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(budgets=budgets, include_dirs=(str(headers),), properties=properties or ("assertion",))
    return lower(parse(preprocess(str(path), options).text, str(path), options), options)


def are_safe(folder: Path, body: str, budgets: Budgets) -> list[bool]:
    """Whether each check of a program holds, as far as an analysis finds out."""
    program = lowered(folder, f"{START}int main(void) {{{body}\n  return 0;\n}}\n", budgets).program
    return [status.is_safe for status in analyse(program, AnalysisOptions()).statuses]


@pytest.mark.parametrize("budgets", [Budgets(), SMALL], ids=["inlined", "shared"])
@pytest.mark.parametrize(("other", "is_safe"), [("return text[1];", True), ("return text[1] = 1;", False)])
def test_what_is_only_read_meanwhile(tmp_path: Path, other: str, is_safe: bool, budgets: Budgets) -> None:
    text = f"""#include <pthread.h>
#include <library.h>
char text[4];
void *other(void *unused) {{ {other.replace("return ", "int n = ")} return 0; }}
int main(void) {{
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  BIO_write(0, text, 4);
  return 0;
}}
"""
    program = lowered(tmp_path, text, budgets, "data-race").program
    assert {status.is_safe for status in analyse(program, AnalysisOptions()).statuses} <= {is_safe}


def test_a_defect_of_what_is_only_read_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown, "_behind", lambda *_: NOTHING)  # what pointers in it lead to stays as it is, too
    assert set(are_safe(tmp_path, FALSE["what is written leads on"], Budgets())) == {True}


@pytest.mark.parametrize("name", TRUE)
def test_what_they_do_not_call_changes_nothing(tmp_path: Path, name: str) -> None:
    assert set(are_safe(tmp_path, TRUE[name], Budgets())) == {True}


@pytest.mark.parametrize("budgets", [Budgets(), SMALL], ids=["inlined", "shared"])
@pytest.mark.parametrize("name", FALSE)
def test_what_they_may_call_may_change_everything(tmp_path: Path, name: str, budgets: Budgets) -> None:
    assert set(are_safe(tmp_path, FALSE[name], budgets)) == {False}


@pytest.mark.parametrize(
    "body",
    [
        "return strlen(pcap_geterr(0));",
        "const char *name = EVP_MD_get0_name(0); return name ? strlen(name) : 0;",
    ],
)
def test_strings_of_libraries(tmp_path: Path, body: str) -> None:
    text = f"#include <library.h>\nint main(void) {{ {body} }}\n"
    program = lowered(tmp_path, text, Budgets(), "array-bounds").program
    assert all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


OWN = """
  unsigned char *to = malloc(8);
  int *length = malloc(sizeof *length);
  if (!to || !length) return 1;
  to[0] = 1;
  *length = 9;
  CALL
  if (any()) assert(to[0] == 1);
  assert(*length == 9);"""


@pytest.mark.parametrize("budgets", [Budgets(), SMALL], ids=["inlined", "shared"])
@pytest.mark.parametrize("is_called", [False, True])
def test_memory_of_one_thread_that_they_write_to(tmp_path: Path, is_called: bool, budgets: Budgets) -> None:
    body = OWN.replace("CALL", "EVP_DecryptUpdate(0, to, length, to, 8);" if is_called else "")
    assert set(are_safe(tmp_path, body, budgets)) == {not is_called}


GONE = (
    "char *text = pcap_geterr(0); pcap_close(0); return strlen(text);",
    "const char *text = sqlite3_errmsg(0); sqlite3_close(0); return text[0];",
    "const char *one = sqlite3_errmsg(0), *other = sqlite3_errmsg(0); return one[0] + other[0];",
    "int *it = malloc(8); struct filter a[2] = {{1, it}, {-1UL, 0}}; lzma_filters_free(a, 0); return it ? *it : 0;",
)


@pytest.mark.parametrize("body", GONE)
@pytest.mark.parametrize("budgets", [Budgets(), SMALL], ids=["inlined", "shared"])
def test_memory_that_libraries_give_back(tmp_path: Path, body: str, budgets: Budgets) -> None:
    """Strings in structures of a library go with these; so does memory that it is given to free."""
    text = f"#include <library.h>\nint main(void) {{ {body} }}\n"
    program = lowered(tmp_path, text, budgets, "use-after-free").program
    assert not all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


def test_they_do_not_call_what_the_system_calls(tmp_path: Path) -> None:
    found = lowered(tmp_path, HANDLERS, Budgets())
    called = [warning.message for warning in found.warnings if warning.code == "callback"]
    assert called == ["'packet' is taken to be called here, any number of times"]
    assert {"interrupted", "ended"} <= {template.label for template in found.program.templates.values()}


NULL = {
    "pcap_dispatch(none, 1, packet, 0);": True,
    "pcap_close(none);": True,
    "archive_read_open(none, 0, 0, got, 0);": True,
    "archive_read_close(none);": True,
    "pcap_close(there); pcap_dispatch(there, 1, 0, 0);": False,
    "inflate(none, 0); lzma_code(none, 1);": False,
}


@pytest.mark.parametrize("call", NULL)
def test_what_they_use_has_to_be_there(tmp_path: Path, call: str) -> None:
    text = f"{START}int main(void) {{ void *none = any() ? &mine : 0, *there = &mine; {call} return 0; }}"
    program = lowered(tmp_path, text, Budgets(), "null-dereference").program
    assert any(not status.is_safe for status in analyse(program, AnalysisOptions()).statuses) is NULL[call]


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ("int rtlsdr_close(void *); int main(void) { return rtlsdr_close(0); }", "no header of the system declares it"),
        ("int usleep(char *); int main(void) { return usleep(0); }", "that has another type"),
    ],
)
def test_why_a_function_is_none_of_a_library(tmp_path: Path, declared: str, why: str) -> None:
    path = tmp_path / "a.c"
    path.write_text(declared, encoding="utf-8")
    found = lower(parse(declared, str(path), FrontendOptions()), FrontendOptions())
    (told,) = (warning.message for warning in found.warnings if warning.code == "unknown-function")
    assert f"it is not the library's: {why}" in told
