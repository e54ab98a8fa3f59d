/*
 * markup.js - checks that every page is valid HTML: with html-validate, and with the Nu HTML
 * checker, too, if Java is installed.
 */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

const RULES = {
	extends: ["html-validate:standard"],
	rules: {
		/* Layout of the source, not validity. */
		"no-trailing-whitespace": "off",
		"long-title": "off",
		"void-style": "off",
		"doctype-style": "off",
		/* Units and thin spaces in text are characters here, not entities. */
		"no-raw-characters": "off",
		/* `role=region` on what scrolls sideways: WAI's own pattern, checked by axe. */
		"prefer-native-element": "off",
	},
};

function hasJava() {
	try {
		execFileSync("java", ["-version"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

/* Nu's messages, by file. One process checks all, because starting it takes longest. */
async function askNu(t, paths) {
	const args = ["-Xss8m", "-jar", t.require("vnu-jar"), "--exit-zero-always", "--format", "json", ...paths];
	const { stderr } = await promisify(execFile)("java", args, { maxBuffer: 1 << 26 });
	const byFile = new Map(paths.map((p) => [p, []]));
	for (const m of JSON.parse(stderr).messages) {
		/* Files have no 'self'; pages.js sees real violations. */
		if (m.message.startsWith("Resource violates Content Security Policy")) continue;
		/* A data block is no script: nothing runs it and no policy blocks it. */
		if (m.message.startsWith("Inline script violates Content Security Policy") && m.extract?.includes("application/ld+json")) continue;
		/* It guesses the language from letters, and the profiler's metric names are Latin ones. */
		if (m.message.startsWith("This document appears to be written in English") && /\/zh\/glossary\//.test(m.url)) continue;
		const path = decodeURIComponent((m.url ?? "").replace(/^file:/, ""));
		byFile.get(path)?.push(`${m.lastLine}:${m.firstColumn ?? m.lastColumn}: ${m.subType ?? m.type}: ${m.message}`);
	}
	return byFile;
}

export async function checkMarkup(t) {
	const { HtmlValidate } = t.require("html-validate");
	const validator = new HtmlValidate(RULES);
	const paths = t.urls.map((u) => t.site + (u.endsWith("/") ? u + "index.html" : u));
	for (const [i, path] of paths.entries()) {
		const { results } = await validator.validateFile(path);
		t.report(`${t.urls[i]} html-validate`, results.flatMap((r) => r.messages.map((m) => `${m.line}:${m.column}: ${m.ruleId}: ${m.message}`)));
	}
	if (!hasJava()) {
		console.log("ok - Nu HTML checker # skip there is no java");
		return;
	}
	const nu = await askNu(t, paths);
	for (const [i, path] of paths.entries()) t.report(`${t.urls[i]} Nu HTML checker`, nu.get(path));
}
