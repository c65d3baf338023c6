const names = '(?:access|refresh|csrf)[_-]?token|client[_-]?secret|code[_-]?verifier|pass(?:word|wd|phrase)?|pwd';
// All repetitions that could overlap have a limit, so that the time grows only with the length of the text.
const separators = [
	String.raw`["']?\s{0,200}[:=>]{1,2}\s{0,200}(?:\[\s{0,200})?["']?`,
	// <client_secret type="text">
	String.raw`\s[^<>\r\n]{1,200}>\s{0,200}`,
	// "client_secret","value":"…" and name="client_secret" value="…"
	String.raw`["'][\s,]{0,20}["']?value["']?\s{0,200}[:=]\s{0,200}["']?`,
	// a part of a multipart body
	String.raw`"?(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n`
];
/** A value ends where its notation says so: passwords contain quotes and ampersands. */
const values = [
	String.raw`(?<=")(?:\\[^]|[^"\\])+`,
	String.raw`(?<=')(?:\\[^]|[^'\\])+`,
	String.raw`(?<=CDATA\[)(?:(?!\]\]>)[^])+`,
	String.raw`(?<=[^=]>\s{0,200})[^<]+`,
	String.raw`(?<=\n\r?\n)(?:(?!\r?\n--)[^])+`,
	// YAML and headers
	String.raw`(?<=:\s{0,200})[^"<\r\n]+`,
	String.raw`(?:[^"'<&\r\n]|'(?=[^\s,;)}\]]))+`
];
/** A secret name, what separates it from its value, and the value: in JSON, XML, multipart and plain text. */
export const besideName = new RegExp(
	String.raw`(${names}|secret|token|code|key|interaction)((?:${separators.join('|')})(?:<!\[CDATA\[)?)(${values.join('|')})`,
	'gi'
);
/** The password in `https://user:password@host`. */
export const userInfo = /(:\/\/[^\s/:@]{0,200}:)([^\s/@]{1,200})(?=@)/g;
