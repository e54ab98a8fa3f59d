return {
	markdown = true,
	title = "Golden",
	base_url = "https://golden.example/blog",
	description = "Machine code, two languages",
	default_device = "h200",
	languages = {
		en = { name = "English" },
		zh = {
			name = "中文",
			title = "金色",
			description = "机器码",
			nav = { { title = "文章", url = "/zh/posts/" } },
		},
	},
	nav = { { title = "Posts", url = "/posts/" } },
}
