/** Whether browsers can open audio and pictures. */
export const mediaField = {
  key: 'media',
  label: 'Media',
  text: 'let browsers play audio and show pictures',
  help: "Everyone who can open this Node-RED's pages, such as its dashboard, can then open the audio of each recording and the pictures of each message.",
};
