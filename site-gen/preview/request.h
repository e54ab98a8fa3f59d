/*
 * site-gen/preview/request.h - filter of the preview's requests: only its own address
 * and the files of its own folder.
 */
#ifndef SITE_GEN_PREVIEW_REQUEST_H
#define SITE_GEN_PREVIEW_REQUEST_H

#include <stdbool.h>

/*
 * True if the Host header names localhost or an IP address. Any other name may be
 * another site's that resolves to this machine (DNS rebinding), and would let that
 * site's scripts read drafts. NULL: the request has no such header.
 */
bool request_is_own(const char *host);

/* The path below `base`, the site's prefix, with its '/'. NULL for others, and for "..". */
const char *request_inside(const char *base, const char *url);

#endif
