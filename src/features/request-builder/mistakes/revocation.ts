import { set } from '../draft.ts';
import { rejectedBy, type MistakeCode } from './mistake.ts';

const kinds = ['revoke'] as const;
const known = rejectedBy('revoke.token_known');

/** Mistakes of the revocation request (specification, section 4). */
export const revocationMistakes: readonly MistakeCode[] = [
	{
		id: 'access_token',
		kinds,
		dialect: 'specification',
		change: (draft, { accessToken }) => set(draft, 'token', accessToken),
		expect: known
	},
	{
		id: 'wrong_client',
		kinds,
		dialect: 'specification',
		change: (draft, { other }) => set(draft, 'client_id', other.client_id),
		expect: rejectedBy('revoke.token_issued_to_client')
	},
	{
		id: 'revoked_twice',
		kinds,
		dialect: 'specification',
		times: 2,
		change: (draft) => draft,
		expect: known
	},
	{
		id: 'missing_client',
		kinds,
		dialect: 'specification',
		change: (draft) => set(draft, 'client_id', undefined),
		expect: rejectedBy('revoke.parameters_present', 'missing_parameter')
	}
];
