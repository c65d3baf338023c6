// Runs in the process of a client, before its own modules: `node --import watch-hook.js`.
import { join } from 'node:path';
import { Recorder } from './recorder.ts';
import { tapHttp, tapUndici } from './taps.ts';

const folder = process.env.TOLLGATE_WATCH_FOLDER;
if (folder !== undefined && folder !== '') {
	const recorder = new Recorder(join(folder, `${process.pid}.har`), process.env.TOLLGATE_WATCH_VERSION ?? '');
	tapHttp(recorder);
	tapUndici(recorder);
	process.on('exit', () => recorder.flush());
}
