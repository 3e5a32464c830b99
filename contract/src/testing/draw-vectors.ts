const WATCHLIST_ID = '00000000-0000-4000-8000-000000000001'

/** Of twelve cards. */
const TICKETS = [
  '0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea',
  '121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10',
  '4240e992becf8152445ed4030cf2f72b2ee4e5d66e51968c70937bc22ecefbe8',
  '584812b90cb667bb8b3c78cfc64149345b63db9f0d8cf9c63edea79a7a7ae19b',
  '70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043',
  '725854b92012960ec3e55ed718721d282bc10f379c224f34e715f4e970e453ae',
  '7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10',
  '95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e',
  'a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51',
  'ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a',
  'b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5',
  'edc5ee1ba286d8c3e54ed1abf8dfb226894d6406cc4dd3d3f1099b93dadd368a',
]
const OF_ANA = [
  '0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea',
  '121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10',
  '70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043',
  '725854b92012960ec3e55ed718721d282bc10f379c224f34e715f4e970e453ae',
  '7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10',
  'a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51',
  'ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a',
  'b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5',
]
const OF_BEN = [
  '584812b90cb667bb8b3c78cfc64149345b63db9f0d8cf9c63edea79a7a7ae19b',
  'edc5ee1ba286d8c3e54ed1abf8dfb226894d6406cc4dd3d3f1099b93dadd368a',
]

const SEEDS = [
  '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d',
  'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
  '2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6',
]
const HASHES = [
  '39361160903c6695c6804b7157c7bd10013e9ba89b1f954243bc8e3990b08db9',
  '6632753d6ca30fea890f37fc150eaed8d068acf596acb2251b8fafd72db977d3',
  'bf5d3affb73efd2ec6c36ad3112dd933efed63c4e1cbffcfa88e2759c144f2d8',
]

/** Draws and random integers that every program that checks a draw must agree with. */
export const DRAW_VECTORS = {
  below: {
    serverSeed: '8ada24bf6bf3139273899fed85010be710367bbd1f8a176f19da97a62bc3bc65',
    seeds: SEEDS,
    of: ['1', '2', '3', '10', '52', '1000', '4294967296', '9223372036854775809'],
    gives: ['0', '0', '0', '6', '38', '795', '3779877459', '3000515461160830848'],
  },
  cases: [
    {
      name: 'every card alike, one pick',
      table: {
        watchlistId: WATCHLIST_ID,
        drawNumber: 1,
        rule: 'cards',
        filter: null,
        picks: 1,
        people: [{ username: null, weight: 1, tickets: TICKETS }],
        serverSeed: '89b179d4d09647ae3593371ba32e4a9742f68bf3b24c38a10bd34f780f1783b1',
      },
      canonical:
        '{"drawNumber":1,"filter":null,"people":[{"tickets":["0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea","121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10","4240e992becf8152445ed4030cf2f72b2ee4e5d66e51968c70937bc22ecefbe8","584812b90cb667bb8b3c78cfc64149345b63db9f0d8cf9c63edea79a7a7ae19b","70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043","725854b92012960ec3e55ed718721d282bc10f379c224f34e715f4e970e453ae","7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10","95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e","a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51","ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a","b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5","edc5ee1ba286d8c3e54ed1abf8dfb226894d6406cc4dd3d3f1099b93dadd368a"],"username":null,"weight":1}],"picks":1,"rule":"cards","serverSeed":"89b179d4d09647ae3593371ba32e4a9742f68bf3b24c38a10bd34f780f1783b1","watchlistId":"00000000-0000-4000-8000-000000000001"}',
      commitment: '96305ea9a18a3dbaafcc6557e2a0c5e1ba8c720e83fe4a22458a484ac15af68a',
      seeds: ['ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
      hashes: ['bf5d3affb73efd2ec6c36ad3112dd933efed63c4e1cbffcfa88e2759c144f2d8'],
      picked: [
        {
          ticket: 'ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a',
          cardId: 'card-02',
          secret: 'ded6c02a4bc1fb712f3b71efcb883ad5',
        },
      ],
    },
    {
      name: 'the same seeds in another order and twice are the same draw',
      table: {
        watchlistId: WATCHLIST_ID,
        drawNumber: 2,
        rule: 'cards',
        filter: null,
        picks: 3,
        people: [{ username: null, weight: 1, tickets: TICKETS }],
        serverSeed: '5a468e1ce419f7a8e006bb5853e934c62297beb26e0d837e9666cd3b0ab58b42',
      },
      canonical:
        '{"drawNumber":2,"filter":null,"people":[{"tickets":["0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea","121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10","4240e992becf8152445ed4030cf2f72b2ee4e5d66e51968c70937bc22ecefbe8","584812b90cb667bb8b3c78cfc64149345b63db9f0d8cf9c63edea79a7a7ae19b","70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043","725854b92012960ec3e55ed718721d282bc10f379c224f34e715f4e970e453ae","7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10","95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e","a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51","ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a","b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5","edc5ee1ba286d8c3e54ed1abf8dfb226894d6406cc4dd3d3f1099b93dadd368a"],"username":null,"weight":1}],"picks":3,"rule":"cards","serverSeed":"5a468e1ce419f7a8e006bb5853e934c62297beb26e0d837e9666cd3b0ab58b42","watchlistId":"00000000-0000-4000-8000-000000000001"}',
      commitment: '4c4b7a5499e27cffd3c0a114b42ed9875224dd87b6b153e28c921c8beb129039',
      seeds: [
        '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d',
        'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
        '2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6',
        'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
      ],
      hashes: HASHES,
      picked: [
        {
          ticket: '4240e992becf8152445ed4030cf2f72b2ee4e5d66e51968c70937bc22ecefbe8',
          cardId: 'card-11',
          secret: 'ec56e386d74f55f609cb4c9e26b704b5',
        },
        {
          ticket: 'ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a',
          cardId: 'card-02',
          secret: 'ded6c02a4bc1fb712f3b71efcb883ad5',
        },
        {
          ticket: 'a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51',
          cardId: 'card-06',
          secret: '0597fc12cf47b596c5a5ab3744cc8f00',
        },
      ],
    },
    {
      name: 'every person alike',
      table: {
        watchlistId: WATCHLIST_ID,
        drawNumber: 3,
        rule: 'people',
        filter: null,
        picks: 1,
        people: [
          { username: 'Ana', weight: 1, tickets: OF_ANA },
          { username: 'Ben', weight: 1, tickets: OF_BEN },
          { username: 'Zoë', weight: 1, tickets: ['95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e'] },
        ],
        serverSeed: '5c0a9d8609ab9b733cfaa7c519e9e19dad10929210128e47a3504fff01fdc536',
      },
      canonical:
        '{"drawNumber":3,"filter":null,"people":[{"tickets":["0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea","121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10","70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043","725854b92012960ec3e55ed718721d282bc10f379c224f34e715f4e970e453ae","7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10","a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51","ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a","b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5"],"username":"Ana","weight":1},{"tickets":["584812b90cb667bb8b3c78cfc64149345b63db9f0d8cf9c63edea79a7a7ae19b","edc5ee1ba286d8c3e54ed1abf8dfb226894d6406cc4dd3d3f1099b93dadd368a"],"username":"Ben","weight":1},{"tickets":["95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e"],"username":"Zoë","weight":1}],"picks":1,"rule":"people","serverSeed":"5c0a9d8609ab9b733cfaa7c519e9e19dad10929210128e47a3504fff01fdc536","watchlistId":"00000000-0000-4000-8000-000000000001"}',
      commitment: 'dace4f9f401e7376428ae30b16f5e7a0c9d6d641d18edce44b9d7920d7699454',
      seeds: SEEDS,
      hashes: HASHES,
      picked: [
        {
          ticket: 'edc5ee1ba286d8c3e54ed1abf8dfb226894d6406cc4dd3d3f1099b93dadd368a',
          cardId: 'card-08',
          secret: '64a459da021e18aa80a972ca856e6f14',
        },
      ],
    },
    {
      name: 'longest wait first, with a filter',
      table: {
        watchlistId: WATCHLIST_ID,
        drawNumber: 4,
        rule: 'waiting',
        filter: {
          maxRuntimeMinutes: 120,
          withoutGenres: ['Horror'],
        },
        picks: 1,
        people: [
          { username: 'Ana', weight: 1, tickets: OF_ANA },
          { username: 'Ben', weight: 4, tickets: OF_BEN },
          {
            username: 'Cy',
            weight: 10,
            tickets: [
              '4240e992becf8152445ed4030cf2f72b2ee4e5d66e51968c70937bc22ecefbe8',
              '95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e',
            ],
          },
        ],
        serverSeed: 'e5bea24f16c5245fc6e7e88545d96888a40fc0a5f1bd159a5ae213d891df87af',
      },
      canonical:
        '{"drawNumber":4,"filter":{"maxRuntimeMinutes":120,"withoutGenres":["Horror"]},"people":[{"tickets":["0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea","121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10","70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043","725854b92012960ec3e55ed718721d282bc10f379c224f34e715f4e970e453ae","7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10","a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51","ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a","b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5"],"username":"Ana","weight":1},{"tickets":["584812b90cb667bb8b3c78cfc64149345b63db9f0d8cf9c63edea79a7a7ae19b","edc5ee1ba286d8c3e54ed1abf8dfb226894d6406cc4dd3d3f1099b93dadd368a"],"username":"Ben","weight":4},{"tickets":["4240e992becf8152445ed4030cf2f72b2ee4e5d66e51968c70937bc22ecefbe8","95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e"],"username":"Cy","weight":10}],"picks":1,"rule":"waiting","serverSeed":"e5bea24f16c5245fc6e7e88545d96888a40fc0a5f1bd159a5ae213d891df87af","watchlistId":"00000000-0000-4000-8000-000000000001"}',
      commitment: '877a4caf9348a166bacf871e5248f549264e3bb85ff054e306a688b4b39a0559',
      seeds: SEEDS,
      hashes: HASHES,
      picked: [
        {
          ticket: '95c4e2276ea15c40cb93f657ff37498ac52402477f9bca6ad0244a6089b3de8e',
          cardId: 'card-10',
          secret: '6cce0a8c87195cc42ef2fda274f9bbf7',
        },
      ],
    },
    {
      name: 'a shortlist of seven, cards wanted by several',
      table: {
        watchlistId: WATCHLIST_ID,
        drawNumber: 5,
        rule: 'people',
        filter: null,
        picks: 7,
        people: [
          {
            username: 'Ana',
            weight: 1,
            tickets: [
              '0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea',
              '121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10',
              '7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10',
              'ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a',
            ],
          },
          {
            username: 'Ben',
            weight: 1,
            tickets: [
              '70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043',
              '7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10',
              'ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a',
            ],
          },
          {
            username: 'cy',
            weight: 1,
            tickets: [
              '7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10',
              'a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51',
              'b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5',
            ],
          },
        ],
        serverSeed: '8802813b2d63427d63dec1ae5678195311b1918d0f53eaab5f637121011808d3',
      },
      canonical:
        '{"drawNumber":5,"filter":null,"people":[{"tickets":["0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea","121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10","7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10","ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a"],"username":"Ana","weight":1},{"tickets":["70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043","7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10","ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a"],"username":"Ben","weight":1},{"tickets":["7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10","a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51","b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5"],"username":"cy","weight":1}],"picks":7,"rule":"people","serverSeed":"8802813b2d63427d63dec1ae5678195311b1918d0f53eaab5f637121011808d3","watchlistId":"00000000-0000-4000-8000-000000000001"}',
      commitment: '2a6887e6cb4c4a1f68300e1082b97acf63405ce3c572dde7e589e07cbd90ea39',
      seeds: SEEDS,
      hashes: HASHES,
      picked: [
        {
          ticket: '7ddb7145267639b141a137266560d154b64f405feb6ae6bb9a3d5f5d4c93df10',
          cardId: 'card-03',
          secret: '57bb17f3f5f52ee8b9737be34ae152fd',
        },
        {
          ticket: 'b85d79c5337857112537354fddb15bb60ac2fd65db579c7fc87047b515ab41e5',
          cardId: 'card-05',
          secret: '51a449a0fd6d4608bf5497ec8ad79887',
        },
        {
          ticket: 'ab0ab6b35da30d9bffb82f31fd655b2dd49dcd74dd8e8a2dbc8224b35243c09a',
          cardId: 'card-02',
          secret: 'ded6c02a4bc1fb712f3b71efcb883ad5',
        },
        {
          ticket: '70fb332e820d73bcf2a606cfcdddc7c4008c7fab39b9e4bc8673da088bcb8043',
          cardId: 'card-04',
          secret: 'c8ce10bdf3f64984a2bb9e3b0535ce13',
        },
        {
          ticket: '121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10',
          cardId: 'card-00',
          secret: '6b85ef3dff7bb6fea77cd2b8662cb19b',
        },
        {
          ticket: 'a49f367452d7f1a554412499b6dd7dc1cd22fe3f28592d678dc9167bc49c1e51',
          cardId: 'card-06',
          secret: '0597fc12cf47b596c5a5ab3744cc8f00',
        },
        {
          ticket: '0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea',
          cardId: 'card-01',
          secret: '5485cb5d03981cc3bd989290a6be33ca',
        },
      ],
    },
    {
      name: 'fewer cards than picks',
      table: {
        watchlistId: WATCHLIST_ID,
        drawNumber: 6,
        rule: 'waiting',
        filter: null,
        picks: 5,
        people: [
          { username: 'Ana', weight: 2, tickets: ['121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10'] },
          { username: 'Ben', weight: 3, tickets: ['0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea'] },
        ],
        serverSeed: '3f632443a25427fa85ceeb690b535ec68ebd4c95fabf5179a327684f57a4aeb1',
      },
      canonical:
        '{"drawNumber":6,"filter":null,"people":[{"tickets":["121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10"],"username":"Ana","weight":2},{"tickets":["0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea"],"username":"Ben","weight":3}],"picks":5,"rule":"waiting","serverSeed":"3f632443a25427fa85ceeb690b535ec68ebd4c95fabf5179a327684f57a4aeb1","watchlistId":"00000000-0000-4000-8000-000000000001"}',
      commitment: '8e0cf50761a509fe094a2c7ac2b75353a018be88767a509a5781634b93617539',
      seeds: ['ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
      hashes: ['bf5d3affb73efd2ec6c36ad3112dd933efed63c4e1cbffcfa88e2759c144f2d8'],
      picked: [
        {
          ticket: '121b15cd153dfa8afa2176333aa8d52d7560c563c175634a1be8b60bba52dc10',
          cardId: 'card-00',
          secret: '6b85ef3dff7bb6fea77cd2b8662cb19b',
        },
        {
          ticket: '0ad370a20e41c1e5a9ea0e7428592404d1575e90a08b7bdbfeab8d35ed95c0ea',
          cardId: 'card-01',
          secret: '5485cb5d03981cc3bd989290a6be33ca',
        },
      ],
    },
  ],
}
