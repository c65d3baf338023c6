import { makeBuilds } from './builds.js';

export default () => makeBuilds('application', 'static');
