// `npm run build:static`: writes build/static, which any host of static files can serve. `TOLLGATE_BASE=/demo` for a sub-path.
import { build } from 'vite';

process.env.TOLLGATE_TARGET = 'static';
await build();
