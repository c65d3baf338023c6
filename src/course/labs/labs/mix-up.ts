import type { LabCode } from '../engine/lab.ts';
import { secondIssuerLab } from '../shared/second-issuer.ts';

export const code: LabCode = {
	...secondIssuerLab,
	world: { ...secondIssuerLab.world, settings: { dialect: 'standard' }, client: { issuer: 'ignored' } },
	defenses: { right: { client: { issuer: 'compared' } }, tooStrict: { client: { issuer: 'token_url' } } }
};
