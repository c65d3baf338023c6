/** What the description of an error begins with, that a client must not read as code: as a URL, it is a script. */
export const errorTextStart = 'javascript:canary()';
/** Its last word, which no encoding changes. */
export const errorTextEnd = 'canaryend';

/**
 * A description of an error that a client must not write into a page as it is: it ends attributes, strings of scripts, and elements whose
 * content is text. If it becomes HTML, the browser requests the image, and the log shows it. Its characters are those of RFC 6749, section
 * 4.1.2.1.
 * @param image a URL
 */
export const errorTextFor = (image: string): string =>
	`${errorTextStart} The user denied access. ' onmouseover=canary() \` </script></title></textarea></style></noscript>--><img src=${image}> ${errorTextEnd}`;
