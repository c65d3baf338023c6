import { TestService } from './test-service.ts';

/** What the service says of the demo world. */
export const demoWorld = await new TestService().world();
