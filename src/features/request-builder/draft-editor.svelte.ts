import { createFlowSecrets } from '#client/oauth/authorization-request.ts';
import { mapValues } from '#lib/map-values.ts';
import { worldApplications, type BuilderApplication } from './application.ts';
import { add, change, sends, set, valueOf, type RequestDraft, type Parameter } from './draft.ts';
import { kindsOf, pathOfRecords, type RequestKind } from './request-kinds.ts';
import { authenticatedBy, forApplication, forKind, inDialect, newDrafts, setAll, type Drafts } from './drafts.ts';
import { editDraft } from './edit-draft.ts';
import type { Mistake, MistakeContext } from './mistakes/mistake.ts';
import { mistakesOf } from './mistakes/mistakes.ts';
import { scopeOf } from '#api/world/record-values.ts';
import { lookupScope, type Kind, type World } from '#client/world.ts';
import type { BuilderSandbox } from './application.ts';

/** One request of each kind for an application, the one that is shown, and the mistake in it. */
export class DraftEditor {
	kind: RequestKind = $state('authorization');
	client_id: string = $state('');
	mistake: Mistake | undefined = $state.raw();
	sandbox: BuilderSandbox = $state.raw({ applications: [], isStrict: true, dialect: 'specification' });
	#drafts: Drafts | undefined = $state.raw();

	/**
	 * @param baseUrl of the service, without a trailing slash
	 * @param world of the service
	 */
	constructor(
		readonly baseUrl: string,
		readonly world: World
	) {}

	/** Whether the drafts are there. */
	get isReady(): boolean {
		return this.#drafts !== undefined;
	}

	/** The correct requests, without the chosen mistake. */
	get drafts(): Drafts {
		if (this.#drafts === undefined) throw new Error('start() has not finished.');
		return this.#drafts;
	}

	set drafts(drafts: Drafts) {
		this.#drafts = drafts;
	}

	/** The kind whose records are requested. Undefined: the world has none. */
	get recordKind(): Kind | undefined {
		return this.world.kinds?.find(({ name }) => this.#drafts?.records.path === pathOfRecords(name));
	}

	get application(): BuilderApplication {
		const [first = worldApplications(this.world, this.baseUrl)[0]] = this.sandbox.applications;
		const found = this.sandbox.applications.find(({ client_id }) => client_id === this.client_id) ?? first;
		if (found === undefined) throw new Error('There is no application.');
		return found;
	}

	/** The request that is sent, with the chosen mistake. */
	readonly draft: RequestDraft = $derived.by(() => {
		const draft = this.drafts[this.kind];
		return this.mistake === undefined ? draft : this.mistake.change(draft, this.context);
	});

	readonly context: MistakeContext = $derived.by(() => {
		const others = [...this.sandbox.applications, ...worldApplications(this.world, this.baseUrl)];
		return {
			application: this.application,
			other: others.find(({ client_id }) => client_id !== this.client_id) ?? this.application,
			isStrict: this.sandbox.isStrict,
			usesNonce: this.sandbox.usesNonce ?? false,
			isBound: valueOf(this.drafts.character, 'Authorization').startsWith('DPoP '),
			isPushed: sends(this.drafts.authorization, 'request_uri'),
			usesPkce: sends(this.drafts.exchange, 'code_verifier'),
			accessToken: valueOf(this.drafts.character, 'Authorization').replace(/^\S+ ?/, ''),
			drafts: this.drafts,
			world: this.world,
			recordKind: this.recordKind
		};
	});

	choose(kind: RequestKind): void {
		this.kind = kind;
		this.mistake = undefined;
	}

	/** The mistakes of a kind of request. A provider accepts what some of them are about. */
	offered(kind: RequestKind): readonly Mistake[] {
		const { dialect, provider } = this.sandbox;
		const all = mistakesOf(kind, provider === undefined ? dialect : 'standard');
		return provider === undefined ? all : all.filter(({ id }) => provider.mistakes.includes(id));
	}

	/** @param id of a mistake that this kind of request may have */
	chooseMistake(kind: RequestKind, id: string | null): void {
		this.kind = kind;
		this.mistake = this.offered(kind).find((mistake) => mistake.id === id);
	}

	/** Chooses whose records are requested. @param name of a kind of the world */
	chooseRecordKind(name: string): void {
		const kind = this.world.kinds?.find((one) => one.name === name);
		if (kind === undefined) return;
		this.drafts = forKind(this.drafts, kind);
		this.mistake = undefined;
		if (!kindsOf(this.sandbox.dialect, kind, this.sandbox.provider).includes(this.kind)) this.kind = 'records';
	}

	chooseApplication(client_id: string): void {
		this.client_id = client_id;
		this.drafts = inDialect(forApplication(this.drafts, this.application), this.sandbox.dialect, this.sandbox.provider);
	}

	/** Changes a parameter of the shown request. */
	edit(index: number, part: Partial<Parameter>): void {
		const { draft, isMistakeKept } = editDraft(this.drafts[this.kind], this.draft, index, part);
		if (!isMistakeKept) this.mistake = undefined;
		this.#replace(draft);
		const edited = draft.parameters[index];
		if (edited?.name === 'code_challenge' && edited.isOn && edited.value === '') void this.addPkce();
	}

	addParameter(): void {
		const { method } = this.drafts[this.kind];
		this.#replace(add(this.drafts[this.kind], method === 'POST' ? 'form' : 'query', '', ''));
	}

	async newState(): Promise<void> {
		this.set({ state: (await createFlowSecrets()).state });
	}

	/** Adds a new PKCE pair to the authorization request and to the code exchange. */
	async addPkce(): Promise<void> {
		const { code_challenge, code_verifier } = await createFlowSecrets();
		this.set({ code_challenge, code_challenge_method: 'S256', code_verifier });
	}

	/**
	 * Correct requests for the application.
	 * @param address that they count for. Empty: the network address
	 */
	async newDrafts(address: string): Promise<Drafts> {
		const { state, code_challenge, code_verifier } = await createFlowSecrets();
		const { viewer } = this.world;
		const { dialect, provider } = this.sandbox;
		// Today's standards require PKCE.
		const pkce = dialect === 'standard' ? { code_challenge, code_challenge_method: 'S256', code_verifier } : {};
		const { kinds = [], permissions } = this.world;
		const ofKinds = kinds.flatMap(({ name }) => [scopeOf(name, 'read'), scopeOf(name, 'write')]);
		const scope = permissions
			.map((permission) => permission.scope)
			.filter((one) => one === lookupScope(this.world) || ofKinds.includes(one))
			.join(' ');
		const values = { scope: provider?.scope ?? scope, character_name: viewer.shows[0] ?? '', ...pkce };
		const basic = newDrafts(this.application, state, address);
		const drafts = setAll(inDialect(kinds[0] ? forKind(basic, kinds[0]) : basic, dialect, provider), values);
		// A refresh keeps all permissions of the grant unless it names fewer.
		const { hasKeys = false } = this.application;
		return mapValues({ ...drafts, refresh: change(drafts.refresh, { scope: { isOn: false } }) }, (draft) =>
			authenticatedBy(draft, hasKeys)
		);
	}

	/** Sets values in all requests that have parameters of these names. */
	set(values: Readonly<Record<string, string>>): void {
		this.drafts = setAll(this.drafts, values);
	}

	/** Sets values in the shown request only. */
	setShown(values: Readonly<Record<string, string>>): void {
		const shown = Object.entries(values).reduce(
			(draft, [name, value]) =>
				this.kind !== 'authorization' || draft.parameters.some((one) => one.name === name)
					? set(draft, name, value)
					: add(draft, 'query', name, value),
			this.drafts[this.kind]
		);
		this.#replace(shown);
	}

	#replace(draft: RequestDraft): void {
		this.drafts = { ...this.drafts, [this.kind]: draft };
	}
}
