/** Whether browsers can open audio and pictures. */
export const mediaField = {
  key: 'media',
  label: 'Media',
  text: 'let browsers play audio and show pictures',
  help: "Lets everyone who can open this Node-RED's dashboard and other pages hear all recordings and see all pictures.",
};
