import { expect, test } from 'vitest';
import { sentenceFor } from '#hosts/node/startup-message.ts';

test.each([
	[{ code: 'EROFS', path: '/data/tls' }, 'it cannot write /data/tls (EROFS), because the file system is read-only.'],
	[{ code: 'ENOENT', path: '/data' }, 'a folder of the path is missing or read-only. Make the folder, or set DATA_DIR'],
	[
		{ code: 'ENOSPC' },
		'it cannot write to DATA_DIR (ENOSPC), because the disk is full. Free some space, or set DATA_DIR'
	],
	[{ code: 'EACCES', port: 443 }, 'this user may not open port 443. Choose one above 1023']
])('%j is one sentence without a stack', (details, sentence) => {
	const text = sentenceFor(Object.assign(new Error('failed'), details));
	expect(text).toContain(sentence);
	expect(text).not.toContain('\n');
});
