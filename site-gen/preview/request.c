#include "site-gen/preview/request.h"

#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <arpa/inet.h>

/* host -> (name | '[' address ']') [':' { digit }] */
bool request_is_own(const char *host)
{
	char name[INET6_ADDRSTRLEN];
	struct in6_addr address;
	if (!host)
		return false;
	bool bracket = *host == '[';
	size_t n = strcspn(host + bracket, bracket ? "]" : ":");
	const char *rest = host + bracket + n;
	if (n >= sizeof name || (bracket && *rest++ != ']'))
		return false;
	if (*rest == ':')
		rest += 1 + strspn(rest + 1, "0123456789");
	if (*rest)
		return false;
	memcpy(name, host + bracket, n);
	name[n] = 0;
	return bracket ? inet_pton(AF_INET6, name, &address) == 1
	               : strcasecmp(name, "localhost") == 0 ||
	                         inet_pton(AF_INET, name, &address) == 1;
}

const char *request_inside(const char *base, const char *url)
{
	size_t n = strlen(base);
	if (strncmp(url, base, n) != 0 || url[n] != '/')
		return NULL;
	return strstr(url, "/..") || strstr(url, "//") ? NULL : url + n;
}
