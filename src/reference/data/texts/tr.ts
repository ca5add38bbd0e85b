import type { NewsTexts } from './texts.ts';

export const tr: NewsTexts = {
  titles: {
    1: [
      '{name} {pct} hareket etti, işlem hacmi {usd} seviyesine ulaştı',
      '{exchange} üzerinde {symbol} açık pozisyonları {usd} oldu',
      '{name} yatırımcıları bir sonraki makro veriyi bekliyor',
    ],
    2: [
      'Araştırma: {name} arzını ne belirliyor',
      'Haftalık zincir üstü rapor: {usd} değerinde {symbol} transferi',
      '{name} ne kadar likit? {exchange} emir defterlerine bakış',
    ],
    3: [
      '{firm} portföyüne {usd} değerinde {name} ekledi',
      '{firm} {symbol} ağırlığını {pct} artırdı',
      '{exchange} kurumsal masaları {name} için talep görüyor',
    ],
    4: [
      'Görüş: {name} neden hâlâ gündemimde',
      '{pct} hareketin ardından {symbol} için sabır gerekiyor',
      '{name} bu yıl üç soruyu yanıtlamak zorunda',
    ],
    7: [
      '{exchange} yeni {symbol} işlem çiftlerini listeliyor',
      '{name} Vakfı ağ güncellemesini duyurdu',
      '{exchange} bakım nedeniyle {symbol} çekimlerini durduracak',
    ],
    13: [
      '{stock} hisseleri {name} alımının ardından {pct} hareket etti',
      '{stock} bilançosunda {usd} değerinde {symbol} açıkladı',
      '{name} yön değiştirirken analistler {stock} hissesini değerlendiriyor',
    ],
  },
  generalTitles: [
    'Dijital varlık piyasasında bir günde {usd} işlem gördü',
    'Düzenleyiciler saklama hizmetleri için yeni bir görüş belgesi yayımladı',
    'Bu hafta sabit coin transferleri {usd} tutarını aştı',
  ],
  leads: [
    '{name} ({symbol}) 24 saatte {pct} değişti; büyük platformlarda {usd} işlem gerçekleşti.',
    '{exchange} yatırımcıları {name} fiyatını izlemeyi sürdürdü, makaslar dar kaldı.',
    '{firm}, müşterilerine {symbol} hakkındaki görüşünün değişmediğini bildirdi.',
  ],
  generalLeads: [
    'Piyasanın tamamı {pct} hareket etti, işlem hacmi {usd} oldu.',
    '{exchange} masaları günü sakin ve düzenli olarak tanımladı.',
  ],
  bodies: [
    'Hacimler Avrupa öğleden sonrasında en yüksek düzeye çıktı ve kapanışa doğru azaldı.',
    'Türev verileri, pozisyonların çoğunun düşük kaldıraçla açıldığını gösteriyor.',
    'Zincir üstü hareketlilik geçen ayın ortalamasına yakın kaldı.',
    'Piyasa yapıcılar derinliğin çeyreğin başından bu yana toparlandığını söylüyor.',
  ],
  headings: ['Ne oldu', 'Neden önemli', 'Sırada ne var'],
  points: [
    'Likidite birkaç platformda yoğunlaşıyor.',
    'Ücretler üst üste üçüncü haftada da geriledi.',
    'Uzun vadeli yatırımcılar neredeyse hiç satmadı.',
  ],
  closings: [
    'Hafta bitmeden daha fazla veri bekleniyor.',
    'Bu yazı yalnızca bilgi amaçlıdır, yatırım tavsiyesi değildir.',
  ],
  quotes: [
    'Piyasa için büyük bir gün. Emir defterlerini yakından izliyorum.',
    'Veriler her şeyi anlatıyor. Değişenleri aşağıda topladım.',
    'Sabır tahminden üstündür. Rakamlar ekte.',
  ],
  caption: 'Platformlara göre günlük hacim',
  source: 'Kaynağı oku',
};
