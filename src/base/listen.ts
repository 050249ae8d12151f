/** The refusals of a server that cannot listen. */
import { errorCode, RefusalError } from './refusal.js';

/**
 * Returns the refusal for an error of `listen`; the error itself when it is another one.
 * @param instead what to do when the port is taken
 */
export function listenRefusal(error: unknown, host: string, port: number, instead: string | null = null): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE': {
      const detail = `port ${port} of ${host} is taken by another program`;
      return new RefusalError('port_taken', instead === null ? detail : `${detail}; ${instead}`);
    }
    case 'EACCES':
      return new RefusalError('forbidden', `this user may not listen on port ${port}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new RefusalError('invalid', `${host} is not an address of this machine`);
    default:
      return error;
  }
}
