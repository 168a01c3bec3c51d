import { type Answer, failure } from './answers.ts';
import type { Request, State } from './state.ts';

const RATE = 8000;
const SECONDS = 2;
const TONE_HZ = 440;
const HEADER_BYTES = 44;

let audio: Buffer | undefined;

/**
 * `GET /Recordings/{RecordingSid}`, `.wav` or `.mp3`: the audio of a recording, or the requested range of it. Every recording is the
 * same short WAV tone, whatever the ending.
 */
export function recordingMedia(state: State, { sid, path, headers }: Request): Answer {
  const known = state.recordings.some((one) => one.sid === sid.replace(/\.(wav|mp3)$/, ''));
  if (!known) return failure(20404, { path });
  audio ??= tone();
  return part(audio, headers.range);
}

function part(whole: Buffer, range: string | undefined): Answer {
  const headers = { 'content-type': 'audio/x-wav', 'accept-ranges': 'bytes' };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined) return { status: 200, headers, body: whole };
  const start = Number(from);
  const end = Math.min(to ? Number(to) : Infinity, whole.length - 1);
  const place = start > end ? '*' : `${start}-${end}`;
  return {
    status: start > end ? 416 : 206,
    headers: { ...headers, 'content-range': `bytes ${place}/${whole.length}` },
    body: whole.subarray(start, end + 1),
  };
}

/** A soft tone that fades in and out, as 16-bit mono WAV. */
function tone(): Buffer {
  const samples = RATE * SECONDS;
  const wav = Buffer.alloc(HEADER_BYTES + samples * 2);
  wav.write('RIFF');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples * 2, 40);
  for (let i = 0; i < samples; i++) {
    const loudness = 4000 * Math.sin((Math.PI * i) / samples);
    const value = loudness * Math.sin((2 * Math.PI * TONE_HZ * i) / RATE);
    wav.writeInt16LE(Math.round(value), HEADER_BYTES + i * 2);
  }
  return wav;
}
