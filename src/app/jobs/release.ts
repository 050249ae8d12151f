/** The release of a program: homes and workers exchange jobs only with programs of the same version, which compute the same bytes. */
import { job_protocol } from '../../codec/jobs.js';
import { programVersion } from '../home/program.js';

export const ownRelease = `${job_protocol}-${programVersion.replaceAll(/[^A-Za-z0-9-]/g, '_')}`.slice(0, 64);
