/** Sentences of one language; `{c}` is a currency, `{n}` a number. */
export interface Phrases {
  readonly titles: readonly string[];
  readonly short: readonly string[];
  readonly bodies: readonly string[];
  readonly quotes: readonly string[];
}

export const EUROPEAN: Readonly<Record<string, Phrases>> = {
  en: {
    titles: [
      '{c} rises above {n} dollars after a quiet weekend',
      'Why the funds of this week went into {c} and not into stocks',
      'The developers of {c} have published their plan for the next year',
      'An exchange will remove {n} trading pairs with {c} at the end of the month',
    ],
    short: ['{c} rises', '{c} falls', 'New record', '{c} paused'],
    bodies: [
      'The price of {c} has gone up by {n} percent since the morning, and the volume was higher than it had been in the last days. Traders say that this is because of the news from the banks.',
      'According to a report that was published on Monday, more than {n} thousand wallets hold {c} for longer than a year. The authors think that there will be more of them.',
      'The team said in a post that the update of the network is ready and that all users should install it before the end of the week.',
    ],
    quotes: [
      'This is what we have been waiting for: {c} is now part of our service, and it will stay there.',
      'We are looking into the problem with {c} and will let you know as soon as there is news.',
    ],
  },
  vi: {
    titles: [
      '{c} vượt mốc {n} đô la sau cuối tuần yên tĩnh',
      'Vì sao dòng tiền tuần này chảy vào {c} chứ không phải cổ phiếu',
      'Nhóm phát triển {c} đã công bố kế hoạch cho năm tới',
      'Một sàn giao dịch sẽ gỡ bỏ {n} cặp giao dịch với {c} vào cuối tháng',
    ],
    short: ['{c} tăng', '{c} giảm', 'Kỷ lục mới', '{c} tạm dừng'],
    bodies: [
      'Giá {c} đã tăng {n} phần trăm kể từ buổi sáng, và khối lượng giao dịch cao hơn những ngày trước. Các nhà giao dịch cho rằng nguyên nhân là tin tức từ các ngân hàng.',
      'Theo một báo cáo được công bố hôm thứ Hai, hơn {n} nghìn ví đã giữ {c} lâu hơn một năm. Các tác giả cho rằng con số này sẽ còn tăng.',
      'Nhóm cho biết trong một bài đăng rằng bản cập nhật của mạng đã sẵn sàng và mọi người dùng nên cài đặt trước cuối tuần.',
    ],
    quotes: [
      'Đây là điều mà chúng tôi chờ đợi: {c} giờ đã là một phần của dịch vụ và sẽ ở lại.',
      'Chúng tôi đang xem xét vấn đề với {c} và sẽ thông báo ngay khi có tin mới.',
    ],
  },
  es: {
    titles: [
      '{c} supera los {n} dólares tras un fin de semana tranquilo',
      'Por qué los fondos de esta semana fueron a {c} y no a la bolsa',
      'Los desarrolladores de {c} han publicado su plan para el próximo año',
      'Una plataforma eliminará {n} pares de {c} a finales de mes',
    ],
    short: ['{c} sube', '{c} cae', 'Nuevo récord', '{c} detenido'],
    bodies: [
      'El precio de {c} ha subido un {n} por ciento desde la mañana y el volumen fue más alto que en los últimos días. Los operadores dicen que se debe a las noticias de los bancos.',
      'Según un informe que se publicó el lunes, más de {n} mil monederos tienen {c} desde hace más de un año. Los autores creen que serán más.',
      'El equipo dijo en una publicación que la actualización de la red está lista y que todos los usuarios deben instalarla antes del fin de semana.',
    ],
    quotes: [
      'Esto es lo que estábamos esperando: {c} ya es parte de nuestro servicio y se queda.',
      'Estamos revisando el problema con {c} y avisaremos en cuanto haya noticias.',
    ],
  },
  pt: {
    titles: [
      '{c} ultrapassa {n} dólares depois de um fim de semana tranquilo',
      'Por que os fundos desta semana foram para {c} e não para a bolsa',
      'Os desenvolvedores de {c} publicaram o seu plano para o próximo ano',
      'Uma corretora vai remover {n} pares de {c} no fim do mês',
    ],
    short: ['{c} sobe', '{c} cai', 'Novo recorde', '{c} suspenso'],
    bodies: [
      'O preço de {c} subiu {n} por cento desde a manhã, e o volume foi maior do que nos últimos dias. Os operadores dizem que isso se deve às notícias dos bancos.',
      'Segundo um relatório que foi publicado na segunda-feira, mais de {n} mil carteiras têm {c} há mais de um ano. Os autores acham que não será o fim.',
      'A equipe disse em uma publicação que a atualização da rede está pronta e que todos os usuários devem instalar antes do fim da semana.',
    ],
    quotes: [
      'É isso que nós estávamos esperando: {c} agora faz parte do nosso serviço, e não vai sair.',
      'Estamos vendo o problema com {c} e avisaremos assim que houver notícias.',
    ],
  },
  tr: {
    titles: [
      '{c} sakin geçen hafta sonunun ardından {n} doları aştı',
      'Bu hafta fonlar neden hisselere değil {c} varlığına gitti',
      '{c} geliştiricileri gelecek yıl için planlarını yayımladı',
      'Bir borsa ay sonunda {c} ile {n} işlem çiftini kaldıracak',
    ],
    short: ['{c} yükseldi', '{c} düştü', 'Yeni rekor', '{c} durduruldu'],
    bodies: [
      '{c} fiyatı sabahtan bu yana yüzde {n} arttı ve işlem hacmi son günlerden daha yüksekti. Yatırımcılar bunun bankalardan gelen haberler nedeniyle olduğunu söylüyor.',
      'Pazartesi günü yayımlanan bir rapora göre {n} binden fazla cüzdan bir yıldan uzun süredir {c} tutuyor. Yazarlar bunun daha da artacağını düşünüyor.',
      'Ekip bir gönderide ağ güncellemesinin hazır olduğunu ve tüm kullanıcıların hafta sonundan önce kurması gerektiğini söyledi.',
    ],
    quotes: [
      'Beklediğimiz şey buydu: {c} artık hizmetimizin bir parçası ve öyle kalacak.',
      '{c} ile ilgili sorunu inceliyoruz ve yeni bir gelişme olduğunda haber vereceğiz.',
    ],
  },
  fr: {
    titles: [
      '{c} dépasse {n} dollars après un week-end calme',
      'Pourquoi les fonds de cette semaine sont allés vers {c} et non vers les actions',
      'Les développeurs de {c} ont publié leur plan pour l’année prochaine',
      'Une plateforme va retirer {n} paires avec {c} à la fin du mois',
    ],
    short: ['{c} monte', '{c} chute', 'Nouveau record', '{c} suspendu'],
    bodies: [
      'Le prix de {c} a augmenté de {n} pour cent depuis ce matin, et le volume était plus élevé que ces derniers jours. Les opérateurs disent que cela est dû aux nouvelles des banques.',
      'Selon un rapport qui a été publié lundi, plus de {n} mille portefeuilles gardent {c} depuis plus d’un an. Les auteurs pensent que ce n’est pas fini.',
      'L’équipe a dit dans un message que la mise à jour du réseau est prête et que tous les utilisateurs doivent l’installer avant la fin de la semaine.',
    ],
    quotes: [
      'C’est ce que nous attendions : {c} fait maintenant partie de notre service, et il va y rester.',
      'Nous examinons le problème avec {c} et nous vous dirons dès qu’il y aura des nouvelles.',
    ],
  },
};
