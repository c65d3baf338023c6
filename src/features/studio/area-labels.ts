/** What the studio calls the parts of the site. */
export const areaLabels: Readonly<Record<string, string>> = {
	learn: 'Lessons',
	write: 'Write',
	labs: 'Labs',
	viewer: 'Web application',
	companion: 'Installed application',
	limits: 'Rate limit lab',
	request: 'Request builder',
	exam: 'Exam',
	agents: 'Agents',
	standards: 'Standards',
	inspector: 'Inspector',
	console: 'Applications',
	controls: 'Settings of the sandbox',
	guide: 'Guided demo',
	class: 'Class',
	studio: 'World studio',
	docs: 'Documentation'
};
