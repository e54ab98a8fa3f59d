return {
	title = "Golden",
	base_url = "https://golden.example/blog",
	description = "A site in two languages",
	languages = {
		en = { name = "English" },
		zh = {
			name = "中文",
			tag = "zh-Hans",
			title = "金色",
			description = "两种语言的网站",
			nav = { { title = "文章", url = "/zh/posts/" } },
		},
	},
	tags = { most = 2, former = { en = { cuda = "gpu" }, zh = { ["显卡"] = "gpu" } } },
	nav = { { title = "Posts", url = "/posts/" } },
}
