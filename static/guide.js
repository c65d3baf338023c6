// The panel of a guided demo, on the pages of the app and on those of the service. Both load it only while a demo runs in this tab.

/** @typedef {{ title: string, text: string, path: string, target?: string, press?: boolean }} Step */
/**
 * @typedef {object} Run What src/features/studio/guide/run-guide.ts stores.
 * @property {string} home prefix of every link of the sandbox
 * @property {string} id of the channel to the presenter's window
 * @property {number} at index of the step
 * @property {string} title
 * @property {Step[]} steps
 */

const key = 'tollgate:guide';
const style = document.createElement('link');
style.rel = 'stylesheet';
style.href = new URL('guide.css', import.meta.url).href;

const panel = document.createElement('aside');
panel.className = 'guide-panel';
panel.innerHTML = `<header><p class="hint"></p><button type="button" class="button quiet small" data-do="present">Notes</button
	><button type="button" class="button quiet small" data-do="end">End</button></header>
<div class="guide-text" role="status"><h2></h2><p data-part="text"></p><p class="hint" data-part="where"></p></div>
<footer><button type="button" class="button" data-do="back">Back</button><button type="button" class="button primary" data-do="next"></button></footer>`;

/** @type {BroadcastChannel | undefined} */
let channel;
/** The step that is in view. */
let shown = '';
let isPlanned = false;
/** How long a press may take to lead to another page, in milliseconds. */
const settling = 400;
/** Whether the user has scrolled since the step came into view. Before, pages that load or open move what is pointed at. */
let hasScrolled = false;

/** @returns {Run | undefined} */
function readRun() {
	try {
		return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
	} catch {
		return undefined;
	}
}

/** @param {Run} run */
function keep(run) {
	sessionStorage.setItem(key, JSON.stringify(run));
}

/**
 * The path of this page in the sandbox of the demo. Undefined: another sandbox.
 * @param {string} home
 */
function pathIn(home) {
	const { pathname } = location;
	const below = pathname.startsWith(`${home}/`) ? pathname.slice(home.length) : undefined;
	return below?.startsWith('/~') ? undefined : below;
}

/**
 * @param {Step} step
 * @param {string} path of this page
 */
function isOn(step, path) {
	const page = step.path.replace(/[?#].*$/, '').replace(/\/$/, '');
	return page === '' ? path === '/' : path === page || path.startsWith(`${page}/`);
}

/**
 * What a step points at, if it is in the page.
 * @param {Step} step
 */
function targetOf({ target }) {
	if (target === undefined) return undefined;
	const found = document.querySelector(`[data-guide="${CSS.escape(target)}"]`);
	return found instanceof HTMLElement && found.checkVisibility() ? found : undefined;
}

/** @param {Step} step */
const isOfApplication = ({ path }) => path.startsWith('/ws/');

/**
 * Whether the step is on another page, which a link can open.
 * @param {Step} step
 * @param {string} path
 */
const opensPage = (step, path) => !isOn(step, path) && !isOfApplication(step);

/**
 * The index of the step that this page shows: users who are signed in already do not see the sign-in page.
 * @param {Run} run
 * @param {string} path
 */
function currentOf({ steps, at }, path) {
	const step = steps[at];
	if (step === undefined || !isOfApplication(step) || !isOn(step, path) || targetOf(step)) return at;
	const next = steps.findIndex((other, index) => index > at && isOn(other, path) && targetOf(other) !== undefined);
	return next === -1 ? at : next;
}

/**
 * @param {string} name
 * @returns {HTMLElement}
 */
function part(name) {
	const found = panel.querySelector(name);
	if (!(found instanceof HTMLElement)) throw new Error(`The panel has no ${name}.`);
	return found;
}

/**
 * Changes a text only where it differs, so that screen readers announce each once.
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
	const element = part(name);
	if (element.textContent !== text) element.textContent = text;
}

function render() {
	isPlanned = false;
	const run = readRun();
	const path = run && pathIn(run.home);
	if (run === undefined || path === undefined) return hide();
	const at = currentOf(run, path);
	if (at !== run.at) keep({ ...run, at });
	const step = run.steps[at];
	if (step === undefined) return end();
	const isHere = isOn(step, path);
	const target = isHere ? targetOf(step) : undefined;
	if (!panel.isConnected) document.body.prepend(panel);
	panel.ariaLabel = run.title;
	write('.hint', `Step ${at + 1} of ${run.steps.length}`);
	write('h2', step.title);
	write('[data-part=text]', step.text);
	write('[data-part=where]', hintOf(step, isHere, target !== undefined));
	const isLast = at === run.steps.length - 1;
	write('[data-do=next]', opensPage(step, path) ? 'Open page' : isLast ? 'Finish' : 'Next');
	part('[data-do=back]').toggleAttribute('disabled', at === 0);
	pointAt(target, `${run.id} ${at} ${path} ${target !== undefined}`);
	connect(run.id).postMessage({ at });
}

/**
 * @param {Step} step
 * @param {boolean} isHere
 * @param {boolean} hasTarget
 */
function hintOf(step, isHere, hasTarget) {
	if (!isHere && isOfApplication(step)) return 'Go back to the step that leads to this page.';
	if (!isHere) return 'This step is on another page.';
	if (hasTarget && step.press) return 'Press what is outlined, or Next.';
	return step.target !== undefined && !hasTarget ? 'This page does not show it now.' : '';
}

/**
 * @param {HTMLElement | undefined} target
 * @param {string} what differs for each step and page
 */
function pointAt(target, what) {
	for (const other of document.querySelectorAll('[data-guide-shown]'))
		if (other !== target) other.removeAttribute('data-guide-shown');
	target?.setAttribute('data-guide-shown', '');
	if (shown !== what) hasScrolled = false;
	else if (target === undefined || hasScrolled || isInView(target)) return;
	shown = what;
	target?.scrollIntoView({ block: target.offsetHeight > innerHeight / 2 ? 'start' : 'center' });
}

/** @param {HTMLElement} target */
function isInView(target) {
	const { top, bottom } = target.getBoundingClientRect();
	const { left, top: end } = panel.getBoundingClientRect();
	// The sheet of a narrow window is below the page.
	const height = left > 0 ? innerHeight : end;
	return bottom > 0 && top < height - Math.min(target.offsetHeight, height / 3);
}

function hide() {
	panel.remove();
	pointAt(undefined, '');
}

function end() {
	sessionStorage.removeItem(key);
	channel?.postMessage({ ended: true });
	hide();
}

/**
 * Opens the page of a step, unless only an application leads there.
 * @param {Run} run
 * @param {number} at
 */
function open(run, at) {
	const step = run.steps[at];
	if (step === undefined) return at < 0 ? undefined : end();
	keep({ ...run, at });
	const path = pathIn(run.home);
	if (isOfApplication(step) || (path !== undefined && isOn(step, path))) return plan();
	const link = document.createElement('a');
	link.href = run.home + step.path;
	// The service renders this page.
	if (/^\/account\b/.test(step.path)) link.dataset.sveltekitReload = '';
	document.body.append(link);
	link.click();
	link.remove();
}

function next() {
	const run = readRun();
	const step = run?.steps[run.at];
	if (run === undefined || step === undefined) return;
	const path = pathIn(run.home) ?? '';
	const target = isOn(step, path) ? targetOf(step) : undefined;
	if (step.press && target !== undefined) press(target, path);
	else if (opensPage(step, path)) open(run, run.at);
	else open(run, run.at + 1);
}

/**
 * Presses what a step points at, and opens the page of the next step if the press leads nowhere.
 * @param {HTMLElement} target
 * @param {string} path of this page
 */
function press(target, path) {
	let isLeaving = false;
	addEventListener('beforeunload', () => (isLeaving = true), { once: true });
	// The listener below goes on to the next step.
	target.click();
	setTimeout(() => {
		const run = readRun();
		if (run !== undefined && !isLeaving && pathIn(run.home) === path) open(run, run.at);
	}, settling);
}

function back() {
	const run = readRun();
	if (run === undefined) return;
	const path = pathIn(run.home) ?? '';
	// Steps on a page that only the application leads to, and that is not open, are passed over.
	let at = run.at - 1;
	for (let step = run.steps[at]; step && isOfApplication(step) && !isOn(step, path); step = run.steps[at]) at--;
	open(run, at);
}

function present() {
	const run = readRun();
	if (run === undefined) return;
	// Without an opener the window gets no copy of this tab's storage, which would start a second panel.
	window.open(`${run.home}/guide/presenter?run=${run.id}`, '_blank', 'noopener,popup,width=560,height=760');
}

/** @param {string} id of the run */
function connect(id) {
	if (channel !== undefined) return channel;
	channel = new BroadcastChannel(`tollgate-guide ${id}`);
	channel.onmessage = ({ data }) => {
		if (data?.press === 'next') next();
		else if (data?.press === 'back') back();
		else if (data?.press === 'end') end();
		else if (data?.ask) render();
	};
	return channel;
}

/** Renders once after all changes of the page. */
function plan() {
	if (isPlanned) return;
	isPlanned = true;
	requestAnimationFrame(render);
}

panel.addEventListener('click', ({ target }) => {
	const button = target instanceof Element ? target.closest('button') : null;
	const action = { next, back, end, present }[button?.dataset.do ?? ''];
	action?.();
});
panel.addEventListener('keydown', ({ key: pressed }) => {
	if (pressed === 'ArrowRight') next();
	else if (pressed === 'ArrowLeft') back();
});
// Before the page reacts: the press may leave it.
document.addEventListener(
	'click',
	({ target }) => {
		const run = readRun();
		const step = run?.steps[run.at];
		const pressed = step?.press && target instanceof Node && targetOf(step)?.contains(target);
		if (run !== undefined && pressed) {
			keep({ ...run, at: run.at + 1 });
			// Most presses leave the page, and the next one has the panel.
			isPlanned = true;
			setTimeout(render, settling);
		}
	},
	{ capture: true }
);
new MutationObserver((changes) => {
	if (changes.some(({ target }) => !panel.contains(target))) plan();
}).observe(document.body, { childList: true, subtree: true });
for (const name of ['wheel', 'touchmove', 'keydown'])
	addEventListener(name, () => (hasScrolled = true), { capture: true, passive: true });
addEventListener('scroll', plan, { capture: true, passive: true });
addEventListener('popstate', plan);
addEventListener('pageshow', plan);

document.head.append(style);
style.addEventListener('load', plan);
