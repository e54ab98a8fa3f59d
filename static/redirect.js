/* redirect.js - a page that has moved: goes on to its new address, with the fragment of the old one. */
location.replace(document.querySelector("a").href + location.hash);
