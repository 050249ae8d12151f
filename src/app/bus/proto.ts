import * as path from 'node:path';
import { packageRoot } from '../../store/package-root.js';

/** The interface definition of the bus. */
export const busProto: string = path.join(packageRoot, 'proto', 'bus.proto');
