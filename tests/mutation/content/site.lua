return {
	title = "A good site",
	description = "Synthetic records, published by every rule.",
	base_url = "https://mutation.example/",
	author = "Nobody",
	nav = { { title = "Posts", url = "/posts/" }, { title = "About", url = "/about/" } },
	default_device = "h200",
	languages = {
		en = { name = "English" },
		zh = { name = "中文", title = "好网站", description = "合成的记录，按每条规则发布。" },
	},
}
