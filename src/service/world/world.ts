import type { SettingsChange } from '#api/control/settings.ts';
import type { Permission } from '#api/control/world.ts';
import type { Brand } from '#api/world/brand.ts';
import type { Application, Character } from '../sandbox/records.ts';

export type WorldAccount = {
	readonly username: string;
	readonly name?: string;
	readonly note?: string;
	readonly password: string;
	/** Whether every visitor gets the password. */
	readonly isPublished: boolean;
};

/** The client of one of our own pages. */
export type DemoClient = {
	readonly client_id: string;
	/** The name of the application. */
	readonly name: string;
	/** Only if every visitor gets it. */
	readonly client_secret?: string;
};

/** What a fresh sandbox is: a world file that was read and checked. Secrets are hashed, except published ones. */
export type World = {
	/** Logos are data URIs. */
	readonly brand: Brand;
	readonly resource: { readonly singular: string; readonly plural: string };
	readonly permissions: readonly Permission[];
	readonly accounts: readonly WorldAccount[];
	readonly characters: readonly Character[];
	/** Redirect URIs may start with `{base_url}`. */
	readonly applications: readonly Omit<Application, 'registered' | 'address'>[];
	readonly viewer: DemoClient & { readonly shows: readonly string[] };
	readonly companion?: DemoClient;
	readonly settings: SettingsChange;
	readonly sandboxes: {
		/** How many students share one network address; absent where nothing is known about it. */
		readonly classroom?: number;
		readonly most: number;
		/** Of one address. Default: that of the quotas. */
		readonly per_address?: number;
		readonly idle_hours: number;
		readonly self_service: boolean;
	};
};
