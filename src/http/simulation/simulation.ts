/** The services that the simulation's endpoints use. */
import type { Registry } from 'prom-client';
import type { Daemon } from '../../app/daemon/daemon.js';
import type { Console } from '../../app/operator/console-files.js';
import type { SimulationService } from '../../app/simulation/service.js';
import type { Endpoint } from '../core/endpoint.js';

export interface Simulation {
  readonly daemon: Daemon;
  readonly service: SimulationService;
  readonly dashboard: Console;
  readonly metrics: Registry;
  /** Requests of one address in a minute; 0 means no limit. */
  readonly rate_limit: number;
  /** The endpoint of the progress socket. */
  readonly progress: Endpoint;
}
