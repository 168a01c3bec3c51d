import { get, sandboxFor } from './client.ts';

test('a complete recording has a transcription, one in progress has none', async () => {
  const sandbox = await sandboxFor();
  const textsOf = async (wanted: string) => {
    const { sid } = sandbox.recordings.find(({ status }) => status === wanted) ?? {};
    const { body } = await get(sandbox, `/Recordings/${sid}/Transcriptions.json`);
    return body.transcriptions.map((one: Record<string, string>) => [
      one.recording_sid === sid,
      one.status,
      one.transcription_text,
    ]);
  };
  const text = 'Hello, please call me back tomorrow morning. Thank you.';
  expect(await textsOf('completed')).toEqual([[true, 'completed', text]]);
  expect(await get(sandbox, '/Recordings/RE1/Transcriptions.json')).toMatchObject({
    status: 404,
    body: { code: 20404 },
  });
});
