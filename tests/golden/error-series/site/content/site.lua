return {
	title = "Golden",
	base_url = "https://golden.example",
	tags = { most = 1, former = { en = { cuda = "gpus", gpu = "memory" } } },
}
