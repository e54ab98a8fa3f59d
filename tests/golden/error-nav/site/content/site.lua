return {
	title = "Golden",
	base_url = "https://golden.example",
	nav = { { title = "Nowhere", url = "/nowhere/" } },
}
