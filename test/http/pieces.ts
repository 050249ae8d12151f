/** Texts that make a request bad wherever they are put in. */
export const pieces = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  '\t',
  ':',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding:\r\n',
  'Host: x\r\n',
  'Expect: 100-continue\r\n',
  'Connection: close\r\n',
  'Connection: upgrade\r\nUpgrade: h2c\r\n',
  '0\r\n\r\n',
  'POST /m HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nbad',
];
