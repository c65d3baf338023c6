import { expect } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { keepResponse } from '#features/request-builder/authorization-return.ts';
import { readBuilderLink } from '#features/request-builder/builder-link.ts';
import type { RequestKind } from '#features/request-builder/request-kinds.ts';
import { mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';
import { RequestBuilder, type BuilderEnvironment } from '#features/request-builder/request-builder.svelte.ts';
import { TestService } from '../../client/test-service.ts';

/** A browser tab at the real service. */
export class Tab {
	readonly service: TestService;
	isOwner = true;
	readonly #values = new Map<string, string>();

	/** @param world a world file; the demo world by default */
	constructor(world?: object) {
		this.service = new TestService(undefined, world);
	}

	readonly storage: BuilderEnvironment['storage'] = {
		getItem: (key) => this.#values.get(key) ?? null,
		setItem: (key, value) => void this.#values.set(key, value),
		removeItem: (key) => void this.#values.delete(key)
	};

	get content(): string {
		return [...this.#values.values()].join();
	}

	/** Opens the page of the builder, or opens it again. */
	async open(keepsSecrets = false, search = ''): Promise<RequestBuilder> {
		const { service, storage } = this;
		const builder = new RequestBuilder({
			api: new ControlApi(service.baseUrl, (url, init) =>
				this.isOwner
					? service.fetchByOwner(url, init)
					: Promise.resolve(Response.json({ error: 'forbidden', error_description: 'No access.' }, { status: 403 }))
			),
			fetch: service.fetch,
			world: await service.world(),
			storage,
			virtualAddress: '',
			keepsSecrets,
			opensWith: readBuilderLink(search)
		});
		await builder.start();
		return builder;
	}

	/** Sends the user away, who approves and comes back. Returns the code. */
	async authorize(builder: RequestBuilder): Promise<string> {
		const response = await this.service.approve(new URL(builder.leave('/request')));
		expect(keepResponse(this.storage, this.service.baseUrl, response)).toBe('/request');
		await builder.resume();
		return response.get('code') ?? '';
	}
}

/** Edits a parameter of the draft. */
export function edit(builder: RequestBuilder, name: string, value: string): void {
	builder.edit(
		builder.draft.parameters.findIndex((one) => one.name === name),
		{ value, isOn: true }
	);
}

/** Chooses a kind of request, and a mistake in it. */
export function choose(builder: RequestBuilder, kind: RequestKind, mistake: string): void {
	builder.choose(kind);
	builder.mistake = mistakesOf(kind, builder.sandbox.dialect).find(({ id }) => id === mistake);
}
