import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { characterViewer } from '#client/demo-clients.ts';
import { createFlowSecrets, type AuthorizationOptions } from '#client/oauth/authorization-request.ts';
import type { ClientRegistration } from '#client/oauth/client-registration.ts';
import { toClientError } from '#client/oauth/client-error.ts';
import { createMemoryLock } from '#client/oauth/lock.ts';
import { MemoryStorage } from '#client/storage/shared-storage.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import { type Environment, ViewerClient } from '#features/viewer/client.ts';
import type { XmlElement, XmlParser } from '#client/xml-to-json.ts';
import { TestService } from './test-service.ts';

/** What tests request unless they say otherwise. */
export const offline = { scope: ['character_read'], access_type: 'offline' } as const;

/** A browser with tabs. They share storage and locks. */
export class TestBrowser {
	readonly service: TestService;
	readonly storage = new MemoryStorage();
	/** The delays that clients have waited for, in milliseconds. */
	readonly delays: number[] = [];
	readonly #lock = createMemoryLock();
	readonly #tabs = new Map<string, Map<string, string>>();
	readonly #saves = new Map<() => void, string>();

	constructor(service = new TestService()) {
		this.service = service;
	}

	/** The environment of a tab. Opened again with the same name, the tab was reloaded. */
	environment(tab = 'tab-1', changes: Partial<Environment> = {}): Environment {
		const values = this.#tabs.get(tab) ?? new Map<string, string>();
		this.#tabs.set(tab, values);
		return {
			storage: this.storage,
			isPersistent: true,
			tabStorage: {
				getItem: (key) => values.get(key) ?? null,
				setItem: (key, value) => void values.set(key, value),
				removeItem: (key) => void values.delete(key)
			},
			namespace: 'test',
			browserSession: tab,
			lock: this.#lock,
			fetch: this.service.fetch,
			virtualAddress: () => '',
			parseXml,
			now: () => this.service.time,
			timeout: () => new AbortController().signal,
			random: () => 0,
			sleep: (milliseconds) => {
				this.delays.push(milliseconds);
				this.service.time += milliseconds;
				return Promise.resolve();
			},
			onPageHide: (save) => this.#saves.set(save, tab),
			...changes
		};
	}

	/** Opens a tab, or reloads it. */
	async open(
		tab = 'tab-1',
		changes: Partial<Environment> = {},
		registration: ClientRegistration = characterViewer(this.service.baseUrl)
	): Promise<ViewerClient> {
		this.hide(tab);
		const { baseUrl } = this.service;
		const client = new ViewerClient(baseUrl, await this.service.world(), this.environment(tab, changes), registration);
		await client.restore();
		return client;
	}

	/** The page of a tab is hidden or closed. */
	hide(tab = 'tab-1'): void {
		for (const [save, owner] of this.#saves) if (owner === tab) save();
	}

	/** What the session storage of a tab contains. */
	tabContent(tab = 'tab-1'): string {
		return JSON.stringify([...(this.#tabs.get(tab) ?? [])]);
	}

	/** Signs a user in, from the authorization request to the stored tokens. */
	async signIn(
		client: ViewerClient,
		options: AuthorizationOptions = offline,
		username = 'player-one'
	): Promise<SignedInUser> {
		const params = await this.service.approve(await this.start(client, options), { username });
		return this.user(client, await client.handleCallback(params));
	}

	/** Starts a sign-in. Returns the authorization URL. */
	async start(client: ViewerClient, options: AuthorizationOptions = offline): Promise<URL> {
		return client.startAuthorization(options, await createFlowSecrets());
	}

	async user(client: ViewerClient, id: string): Promise<SignedInUser> {
		const user = await client.users.get(id);
		if (user === undefined) throw new Error(`no user ${id}`);
		return user;
	}
}

/** The code of the error that a promise is rejected with, `none` if it is not. */
export async function errorCode(promise: Promise<unknown>): Promise<string> {
	try {
		await promise;
		return 'none';
	} catch (thrown) {
		return toClientError(thrown).code;
	}
}

/** XML without a browser. */
export const parseXml: XmlParser = (text) => {
	if (XMLValidator.validate(text) !== true) return undefined;
	const options = { ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false, trimValues: false };
	const nodes: unknown = new XMLParser({ ...options, preserveOrder: true }).parse(text);
	return elementsOf(nodes).find(({ name }) => !name.startsWith('?'));
};

function elementsOf(nodes: unknown): XmlElement[] {
	return listOf(nodes).flatMap((node) => {
		const fields = fieldsOf(node);
		const element = fields.find(([key]) => key !== ':@' && key !== '#text');
		if (element === undefined) return [];
		const [name, inner] = element;
		const attributes = fieldsOf(fields.find(([key]) => key === ':@')?.[1]);
		const texts = listOf(inner).flatMap((part) => fieldsOf(part).filter(([key]) => key === '#text'));
		return [
			{
				name,
				attributes: new Map(attributes.map(([key, value]) => [key, String(value)])),
				children: elementsOf(inner),
				text: texts.map(([, value]) => String(value)).join('')
			}
		];
	});
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): [string, unknown][] {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
