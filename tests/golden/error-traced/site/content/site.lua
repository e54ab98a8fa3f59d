return {
	title = "Kernels",
	base_url = "https://example.org",
	description = "Kernels that run 3 times faster.",
	nav = { { title = "2× faster", url = "/" } },
}
