/** The Node versions that this program runs on: 20.19 and later of line 20, 22, and 24 or later. Says why another is refused. */
export function refusedNode(version) {
  const parts = version.replace(/^v/, '').split('.').map(Number);
  const major = parts[0];
  const fits = (major === 20 && parts[1] >= 19) || major === 22 || major >= 24;
  return fits
    ? null
    : 'agent-cli needs Node 20.19 or later of line 20, Node 22, or Node 24 or later; this is Node ' + parts.join('.');
}
