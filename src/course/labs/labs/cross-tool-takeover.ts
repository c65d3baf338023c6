import type { LabCode } from '../engine/lab.ts';
import { secondIssuerLab } from '../shared/second-issuer.ts';

export const code: LabCode = {
	...secondIssuerLab,
	defenses: { right: { client: { redirectUri: 'each' } }, tooStrict: { client: { issuer: 'required' } } }
};
