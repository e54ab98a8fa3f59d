return {
	en = { skip = "Skip", tags = "Tags", languages = "Languages" },
	zh = {
		tags = "标签", languages = "语言", posts = "文章", posts_about = "关于{1}的文章",
		date_long = "{y}年{m}月{d}日", date_short = "{y}年{m}月{d}日",
		callout_note = "说明", link_to_section = "本节链接：{1}", older_block = "原文已改动",
	},
}
