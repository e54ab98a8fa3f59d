-- The words of the interface, by language. A template prints one with t("key");
-- `words` in content/site.lua replaces and adds.
return {
	en = {
		-- the frame of every page
		skip = "Skip to content",
		nav_site = "Site",
		dark_theme = "Dark theme",
		foot_promise = "Every number on these pages is a lookup in a measured record.",
		feed = "Atom feed",
		repository = "Source code",
		built_from = "Built from",

		-- lists
		home = "Home",
		posts = "Posts",
		tags = "Tags",
		tag = "Tag",
		families = "Kernels",
		runs = "Runs",
		recent_posts = "Recent posts",
		latest_runs = "Latest runs",
		all_posts = "All posts",
		all_families = "All kernels",
		all_runs = "All runs",
		variants = "variants",
		cases = "cases",
		launches = "launches",
		cases_head = "Cases",
		launches_head = "Launches",
		run = "Run",
		date = "Date",
		device = "Device",
		state = "State",

		-- posts
		updated = "updated",
		minutes = "min read",
		draft = "Draft",
		level_introductory = "introductory",
		level_intermediate = "intermediate",
		level_advanced = "advanced",
		part = "part",
		contents = "Contents",
		older = "Older",
		newer = "Newer",
		more_posts = "More posts",
		source_of_page = "source of this page",

		-- conditions and states
		measured_under = "Measured under",
		all_conditions = "All conditions",
		state_ok = "steady",
		state_unsteady = "unsteady",
		state_stale = "stale",
		state_preview = "preview",
		state_none = "nothing published",

		-- languages
		languages = "Languages",
		not_translated = "This page is not translated; to the home page",
		translated_from = "Translated from",
		translation_older = "older translation",
		older_text = "The original has changed since it was translated.",
		older_unknown = "The original has changed since it was translated; where, cannot be told here.",
		older_head = "the title or the description",
		older_blocks = "changed in the original",
		added_blocks = "new in the original",

		not_found = "There is no page here",
		not_found_text = "The address may be mistyped, or the page may have moved. These lists have everything that is published:",
	},
}
