import type { PageLoad } from './$types';

export const load: PageLoad = () => ({ needsService: false, picture: 'moment.png' });
