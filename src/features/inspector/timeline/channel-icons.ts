/** Where a line of the timeline happened. */
export type Channel = 'front' | 'back' | 'client';

export const channelLabels: Readonly<Record<Channel, string>> = {
	front: 'Front channel',
	back: 'Back channel',
	client: 'Client'
};

/** The icons of Lucide (globe, server, app-window), each as one path: a list in motion replaces them many times a second. */
export const channelPaths: Readonly<Record<Channel, string>> = {
	front: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20',
	back: 'M4 2h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM4 14h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2zM6 6h.01M6 18h.01',
	client: 'M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM10 4v4M2 8h20M6 4v4'
};
