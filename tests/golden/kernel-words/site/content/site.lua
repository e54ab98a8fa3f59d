return {
	title = "Golden",
	base_url = "https://golden.example",
	description = "Kernels with names in two languages",
	languages = { en = { name = "English" }, zh = { name = "中文" } },
	default_device = "h200",
}
