import geist from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?inline';
import geistMono from '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2?inline';
import fonts from './fonts.css?inline';

/** The fonts, with the main file of each inside. */
export const embeddedFonts = fonts
	.replace(/url\([^)]*geist-latin-wght[^)]*\)/, `url(${geist})`)
	.replace(/url\([^)]*geist-mono-latin-wght[^)]*\)/, `url(${geistMono})`);
