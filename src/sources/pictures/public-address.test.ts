import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';

import { until } from '../../../tests/support/until.ts';
import { BadPicture, downloadImage, isPublicAddress, publicAddressesOf } from './download-image.ts';

const gateways = { ipfs: 'https://127.0.0.1/ipfs/', walrus: 'https://127.0.0.1/blobs/' };

describe('addresses that pictures may be downloaded from', () => {
  it.each(['93.184.216.34', '1.1.1.1', '2606:4700:4700::1111'])('%s is a public address', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.8',
    '192.0.0.192',
    '192.88.99.1',
    '198.18.0.1',
    '203.0.113.7',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '198.51.100.1',
    '192.0.2.1',
    '240.0.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2001:2::1',
    '2001:20::1',
    '2001:100::1',
    '2001:1ff::1',
    '2620:4f:8000::1',
    '3fff::1',
    '5f00::1',
    '64:ff9b:1::1',
    '100::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '2002:7f00:1::',
    '2001:0:1::1',
    'no address',
  ])('%s is not a public address', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('all addresses of a host name must be public', async () => {
    const signal = AbortSignal.timeout(5_000);
    expect(await publicAddressesOf('localhost', signal)).toBeNull();
    expect(await publicAddressesOf('[::1]', signal)).toBeNull();
    expect(await publicAddressesOf('1.1.1.1', signal)).toEqual([{ address: '1.1.1.1', family: 4 }]);
  });

  it.each([
    [['1.1.1.1', '93.184.216.34'], true],
    [['1.1.1.1', '10.0.0.1'], false],
    [['169.254.169.254', '1.1.1.1'], false],
  ])('a host name with the addresses %j may be opened: %s', async (addresses, isOpened) => {
    const nameServer = createSocket('udp4');
    nameServer.on('message', (question, from) => nameServer.send(answerTo(question, addresses), from.port));
    nameServer.bind(0, '127.0.0.1');
    await once(nameServer, 'listening');
    const resolver = new Resolver({ timeout: 5_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${nameServer.address().port}`]);
    const found = await publicAddressesOf('rocks.example.com', AbortSignal.timeout(5_000), resolver);
    expect(found?.map(({ address }) => address) ?? null).toEqual(isOpened ? addresses : null);
    nameServer.close();
  });

  it('a silent name server delays no other lookup, and is given up when the time is over', async () => {
    const silent = createSocket('udp4');
    let asked = 0;
    silent.on('message', () => (asked += 1));
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${silent.address().port}`]);
    const enough = new AbortController();
    const waiting = ['a', 'b', 'c', 'd'].map((name) =>
      publicAddressesOf(`${name}.example.com`, enough.signal, resolver),
    );
    await until('the name server was asked', () => asked >= waiting.length);
    expect((await lookup('localhost')).address).not.toBe('');
    enough.abort();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => null));
    silent.close();
  });

  it.each([
    'http://93.184.216.34/rock.png',
    'https://127.0.0.1/rock.png',
    'https://2130706433/rock.png',
    'https://0x7f.1/rock.png',
    'https://0177.0.0.1/rock.png',
    'https://[::1]/rock.png',
    'https://[::ffff:127.0.0.1]/rock.png',
    'https://localhost/rock.png',
    'https://169.254.169.254/latest/meta-data',
    'https://user:password@example.com/rock.png',
    'file:///etc/passwd',
    'ftp://example.com/rock.png',
    'javascript:alert(1)',
    'ipfs://../../admin?x=1',
    'data:text/html;base64,PGI+',
    'rock.png',
    '',
  ])('%s is not opened', async (address) => {
    const settings = { trustedHosts: ['127.0.0.1:1'], gateways };
    await expect(downloadImage(address, settings, AbortSignal.timeout(5_000))).rejects.toBeInstanceOf(BadPicture);
  });

  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/rock.png',
    'http://1.1.1.1/rock.png',
    'file:///etc/passwd',
    'https://[::ffff:10.0.0.1]/',
  ])('a redirect to %s is not followed', async (next) => {
    const asked: string[] = [];
    const host = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: next }).end();
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const { port } = host.address() as AddressInfo;
    const settings = { trustedHosts: [`127.0.0.1:${port}`], gateways };
    const picture = downloadImage(`http://127.0.0.1:${port}/rock.png`, settings, AbortSignal.timeout(5_000));
    await expect(picture).rejects.toMatchObject({
      message: expect.stringMatching(/not encrypted|no public|not on/) as string,
    });
    expect(asked).toEqual(['/rock.png']);
    host.close();
  });

  it.each([
    ['ipfs://bafy/1.png', '/ipfs/bafy/1.png'],
    ['ipfs://ipfs/bafy', '/ipfs/bafy'],
    ['walrus://Zq-9_x', '/v1/blobs/Zq-9_x'],
  ])('%s is read from its gateway', async (address, path) => {
    const host = createServer((request, response) => response.end(request.url)).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const { port } = host.address() as AddressInfo;
    const here = `127.0.0.1:${port}`;
    const settings = {
      trustedHosts: [here],
      gateways: { ipfs: `http://${here}/ipfs/`, walrus: `http://${here}/v1/blobs/` },
    };
    expect(String(await downloadImage(address, settings, AbortSignal.timeout(5_000)))).toBe(path);
    host.close();
  });

  it('a host that answers with a protocol upgrade has no more time than any other', async () => {
    const host = createServer((request) => {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const { port } = host.address() as AddressInfo;
    const settings = { trustedHosts: [`127.0.0.1:${port}`], gateways };
    const picture = downloadImage(`http://127.0.0.1:${port}/rock.png`, settings, AbortSignal.timeout(300));
    await expect(picture).rejects.toThrow();
    host.closeAllConnections();
    host.close();
  });
});

const headerBytes = 12;
const typeA = 1;

/** RFC 1035, 4.1: answers every question for IPv4 addresses with these, and other questions with none. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const nameEnd = question.indexOf(0, headerBytes);
  const asked = question.subarray(headerBytes, nameEnd + 5);
  const given = question.readUInt16BE(nameEnd + 1) === typeA ? addresses : [];
  const header = Buffer.alloc(headerBytes);
  question.copy(header, 0, 0, 2);
  // A successful answer to one question.
  header.writeUInt16BE(0x81_80, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(given.length, 6);
  // The name of the question, its type and class, a lifetime of zero, four bytes.
  const record = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4]);
  const records = given.flatMap((address) => [record, Buffer.from(address.split('.').map(Number))]);
  return Buffer.concat([header, asked, ...records]);
}
