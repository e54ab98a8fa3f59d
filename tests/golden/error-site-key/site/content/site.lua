return {
	-- titel is wrong here, too
	title = "Golden",
	base_url = "https://golden.example",
	authr = "x",
}
