/*
 * site-gen/preview/request.h - what the preview lets through: its own address and the
 * files of its own folder.
 */
#ifndef SITE_GEN_PREVIEW_REQUEST_H
#define SITE_GEN_PREVIEW_REQUEST_H

#include <stdbool.h>

/*
 * Does a request's Host header name localhost or an IP address? Another site's
 * name that leads here (DNS rebinding) would let that site's scripts read
 * drafts. NULL: there is no such header.
 */
bool request_is_own(const char *host);

/* The path below `base`, the site's prefix, that begins with '/' and leads to no parent; or NULL. */
const char *request_inside(const char *base, const char *url);

#endif
