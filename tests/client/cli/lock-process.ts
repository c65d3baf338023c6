import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { setImmediate as later } from 'node:timers/promises';
import { FileLocks } from '#client/cli/file-locks.server.ts';

// A process that takes a lock so many times, and is killed with it in its hand. Two of them at once inside: it fails.
const [path = '', inside = '', turns = ''] = process.argv.slice(2);
const locks = new FileLocks(path);

await once(process.stdin.resume(), 'end');
for (let turn = 0; turn < Number(turns); turn += 1) {
	await locks.request('shelf', async () => {
		await writeFile(inside, '', { flag: 'wx' });
		await later();
		await rm(inside);
	});
}
await locks.request('shelf', async () => {
	process.kill(process.pid, 'SIGKILL');
	await new Promise(() => undefined);
});
