/** What records the requests of a Node client in its process. */
export const watchCommand = 'npx tollgate watch -- npm start';
