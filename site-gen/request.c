#include "site-gen/request.h"

#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <arpa/inet.h>

/* "[::1]:8000" -> "::1", "localhost:8000" -> "localhost" */
static bool host_name(const char *header, char *name, size_t size)
{
	bool bracket = *header == '[';
	size_t n = strcspn(header + bracket, bracket ? "]" : ":");
	if (n >= size)
		return false;
	memcpy(name, header + bracket, n);
	name[n] = 0;
	return true;
}

bool request_is_own(const char *host)
{
	char name[INET6_ADDRSTRLEN];
	struct in6_addr address;
	return host && host_name(host, name, sizeof name) &&
	       (strcasecmp(name, "localhost") == 0 || inet_pton(AF_INET, name, &address) == 1 ||
	        inet_pton(AF_INET6, name, &address) == 1);
}

const char *request_inside(const char *base, const char *url)
{
	size_t n = strlen(base);
	if (strncmp(url, base, n) != 0 || url[n] != '/')
		return NULL;
	return strstr(url, "/..") || strstr(url, "//") ? NULL : url + n;
}
