return {
	default_device = "h200",
	markdown = true,
	title = "Golden & small",
	description = "A whole site, compared byte for byte.",
	base_url = "https://golden.example/blog/",
	author = "Golden",
	nav = { { title = "Posts", url = "/posts/" }, { title = "About", url = "/about/" } },
}
