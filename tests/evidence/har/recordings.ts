import { entra, github, google } from './recordings/google-github-entra.ts';
import { auth0, okta } from './recordings/auth0-okta.ts';
import { keycloak, salesforce, slack } from './recordings/keycloak-salesforce-slack.ts';
import { codeTwice, commaScopes, safari, wrongRedirect } from './recordings/broken-and-other.ts';
import type { Recording } from './recordings/recording.ts';

export const recordings: Readonly<Record<string, Recording>> = {
	google: google(),
	github: github(),
	entra: entra(),
	auth0: auth0(),
	okta: okta(),
	keycloak: keycloak(),
	salesforce: salesforce(),
	slack: slack(),
	commaScopes: commaScopes(),
	wrongRedirect: wrongRedirect(),
	codeTwice: codeTwice(),
	safari: safari()
};
