return {
	title = "Golden",
	base_url = "https://golden.example",
	default_device = "h200",
	languages = { en = { name = "English" }, zh = { name = "中文" } },
}
